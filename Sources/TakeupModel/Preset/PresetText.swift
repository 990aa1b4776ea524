internal import Foundation

/// Presets as the files that they are.
package enum PresetText {
    /// - Throws: With 70 for a number that JSON cannot hold.
    package static func json(
        _ value: some Encodable, isPretty: Bool
    ) throws(Failure) -> String {
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
