internal import Foundation
internal import TakeupJobs
internal import TakeupModel

/// A result's warnings as the manifest keeps them: a JSON array.
enum StoredWarnings {
    static func read(_ text: String) -> [JobResult.Warning] {
        (try? JSONDecoder().decode([JobResult.Warning].self, from: Data(text.utf8))) ?? []
    }

    static func write(_ warnings: [JobResult.Warning]) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(warnings)).map { String(decoding: $0, as: UTF8.self) } ?? "[]"
    }
}

extension JobResult.Warning {
    init(_ warning: ExportWarning) {
        self.init(code: warning.code, message: warning.message)
    }
}
