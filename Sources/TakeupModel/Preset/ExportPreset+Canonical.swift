internal import Foundation

extension ExportPreset {
    /// The preset as JSON with its keys sorted: equal presets are equal texts.
    ///
    /// - Throws: `PresetError.invalid` for a number that JSON cannot hold.
    public func canonicalJSON() throws(PresetError) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        } catch {
            throw .invalid(path: name, key: "", reason: "cannot be written as JSON: \(error)")
        }
    }
}
