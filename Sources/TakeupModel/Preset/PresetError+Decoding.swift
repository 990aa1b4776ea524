import Foundation

extension PresetError {
    /// Words what the decoder met in the bytes of the file at `path`.
    init(_ error: DecodingError, in json: Data, path: String) {
        let place: [any CodingKey]
        let reason: String
        switch error {
        case .dataCorrupted(let context), .typeMismatch(_, let context),
            .valueNotFound(_, let context):
            (place, reason) = (context.codingPath, context.debugDescription)
        case .keyNotFound(let key, let context):
            (place, reason) = (context.codingPath + [key], "is missing")
        @unknown default:
            (place, reason) = ([], "is not a preset")
        }
        let fault = place.isEmpty ? Self.syntaxFault(in: json) : nil
        self = .invalid(
            path: path, key: place.map(\.stringValue).joined(separator: "."),
            reason: fault ?? reason)
    }

    /// Finds where the JSON breaks, which `JSONDecoder` on Linux does not tell; nil when it is sound.
    private static func syntaxFault(in json: Data) -> String? {
        do {
            _ = try JSONSerialization.jsonObject(with: json, options: .fragmentsAllowed)
            return nil
        } catch {
            let detail = (error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String ?? ""
            let numbers = detail.split(whereSeparator: { !$0.isASCII || !$0.isNumber })
            guard detail.contains("character"), let offset = numbers.last.flatMap({ Int($0) })
            else {
                return "is not valid JSON: \(QuotedText(detail))"
            }
            let line = json.prefix(max(0, offset)).reduce(1) { $1 == 0x0A ? $0 + 1 : $0 }
            return "is not valid JSON at line \(line): \(QuotedText(detail))"
        }
    }
}
