internal import Foundation
internal import TakeupFiles
internal import TakeupModel

/// Paths of uploads, as clients know them: `upload:ID/NAME`, wherever the server keeps its files.
struct UploadPaths: Sendable {
    private static let scheme = "upload:"
    /// Members whose texts are sentences: people know a file by its name alone.
    private static let sentences: Set<String> = [
        "message", "hint", "note", "why", "detail", "reason", "text",
    ]

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

    /// Replaces them in a sentence, by the names of the files.
    private func told(_ text: String) -> String {
        folders.reduce(text) { text, folder in
            let parts = text.components(separatedBy: folder)
            return parts.dropFirst().reduce(parts[0]) { told, part in
                let rest = part.drop { $0.isASCII && ($0.isLetter || $0.isNumber) }
                return told + (rest.first == "/" ? "\(rest.dropFirst())" : Self.scheme + part)
            }
        }
    }

    /// Replaces them in each text of a value.
    func shown(_ value: JSONValue) -> JSONValue { shown(value, member: "") }

    private func shown(_ value: JSONValue, member: String) -> JSONValue {
        switch value {
        case .text(let text): .text(Self.sentences.contains(member) ? told(text) : shown(text))
        case .list(let values): .list(values.map { shown($0, member: member) })
        case .object(let members):
            .object(members.map { .init(key: $0.key, value: shown($0.value, member: $0.key)) })
        case .null, .flag, .integer, .number: value
        }
    }

    func shown(_ failure: Failure) -> Failure {
        var failure = failure
        (failure.message, failure.hint) = (told(failure.message), told(failure.hint))
        return failure
    }

    /// The path behind a name that `shown` has made; any other text stays.
    func path(of text: String) -> String {
        guard text.hasPrefix(Self.scheme), let folder = folders.first else { return text }
        return folder + text.dropFirst(Self.scheme.count)
    }
}
