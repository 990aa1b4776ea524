import Foundation

/// Which `ETag` an object of a `TestOrigin` has.
public enum OriginEntityTag: Sendable, Equatable {
    /// No `ETag` field.
    case absent
    /// `"text"`
    case strong(String)
    /// `W/"text"`
    case weak(String)
    /// A strong tag that is another one in every answer, as from nodes that do not agree.
    case perRequest
    /// A strong tag of the file's size and time of change; absent for what is no file.
    case ofFile

    /// The field's value in the answer to the request of a number.
    func text(for content: OriginContent, request: Int) -> String? {
        switch self {
        case .absent: return nil
        case .strong(let text): return "\"\(text)\""
        case .weak(let text): return "W/\"\(text)\""
        case .perRequest: return "\"node-\(request)\""
        case .ofFile:
            guard case .file(let path) = content,
                let status = try? OriginContent.status(of: path)
            else { return nil }
            let time = status.st_mtim
            return "\"\(status.st_size)-\(time.tv_sec)-\(time.tv_nsec)\""
        }
    }
}
