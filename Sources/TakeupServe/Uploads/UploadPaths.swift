internal import Foundation
internal import TakeupFiles
internal import TakeupModel

/// Paths of uploads, as clients know them: `upload:ID/NAME`, wherever the server keeps its files.
struct UploadPaths: Sendable {
    private static let scheme = "upload:"

    /// With a slash at the end; the one without links, which jobs name, first.
    private let folders: [String]

    /// - Parameter folder: Holds a folder for each upload; absolute.
    init(folder: String) {
        let real = Folder.resolved(folder)
        folders = (real == folder ? [real] : [real, folder]).map { "\($0)/" }
    }

    /// Replaces the paths in a text.
    func shown(_ text: String) -> String {
        folders.reduce(text) { text, folder in
            text.contains(folder)
                ? text.replacingOccurrences(of: folder, with: Self.scheme) : text
        }
    }

    /// Replaces them in each text of a value.
    func shown(_ value: JSONValue) -> JSONValue {
        switch value {
        case .text(let text): .text(shown(text))
        case .list(let values): .list(values.map(shown))
        case .object(let members):
            .object(members.map { .init(key: $0.key, value: shown($0.value)) })
        case .null, .flag, .integer, .number: value
        }
    }

    func shown(_ failure: Failure) -> Failure {
        var failure = failure
        (failure.message, failure.hint) = (shown(failure.message), shown(failure.hint))
        return failure
    }

    /// The path behind a name that `shown` has made; any other text stays.
    func path(of text: String) -> String {
        guard text.hasPrefix(Self.scheme), let folder = folders.first else { return text }
        return folder + text.dropFirst(Self.scheme.count)
    }
}
