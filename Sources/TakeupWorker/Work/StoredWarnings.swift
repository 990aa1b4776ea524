internal import Foundation
internal import TakeupJobs
internal import TakeupModel

/// A result's warnings as the manifest keeps them: a JSON array.
enum StoredWarnings {
    static func read(_ text: String) -> [JobResult.Warning] {
        (try? JSONDecoder().decode([JobResult.Warning].self, from: Data(text.utf8))) ?? []
    }

    static func write(_ warnings: [ExportWarning]) -> String {
        let warnings = warnings.map { JobResult.Warning(code: $0.code, message: $0.message) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(warnings)).map { String(decoding: $0, as: UTF8.self) } ?? "[]"
    }
}
