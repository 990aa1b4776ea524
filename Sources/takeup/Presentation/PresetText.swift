import Foundation
import TakeupModel

/// Presets as the files that they are.
enum PresetText {
    static func json(_ value: some Encodable, isPretty: Bool) throws(Failure) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        if isPretty { encoder.outputFormatting.insert(.prettyPrinted) }
        do {
            return String(decoding: try encoder.encode(value), as: UTF8.self)
        } catch {
            throw Failure.unexpected(error)
        }
    }
}
