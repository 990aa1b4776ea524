import Foundation

extension PresetError {
    /// Words what the decoder met in the file at `path`.
    init(_ error: DecodingError, path: String) {
        switch error {
        case .dataCorrupted(let context) where context.underlyingError != nil:
            self = .invalid(path: path, key: "", reason: Self.syntaxReason(context))
        case .dataCorrupted(let context), .typeMismatch(_, let context),
            .valueNotFound(_, let context):
            self = .invalid(
                path: path, key: Self.keyPath(context.codingPath), reason: context.debugDescription)
        case .keyNotFound(let key, let context):
            self = .invalid(
                path: path, key: Self.keyPath(context.codingPath + [key]), reason: "is missing")
        @unknown default:
            self = .invalid(path: path, key: "", reason: "is not a preset")
        }
    }

    private static func keyPath(_ path: [any CodingKey]) -> String {
        path.map(\.stringValue).joined(separator: ".")
    }

    private static func syntaxReason(_ context: DecodingError.Context) -> String {
        let detail = (context.underlyingError as NSError?)?.userInfo[NSDebugDescriptionErrorKey]
        guard let detail = detail as? String else { return "is not valid JSON" }
        return "is not valid JSON: \(QuotedText(detail))"
    }
}
