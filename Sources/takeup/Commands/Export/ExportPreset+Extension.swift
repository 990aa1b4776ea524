import TakeupModel

extension ExportPreset {
    /// The extension of a file that this preset writes, without the dot.
    var fileExtension: String { container.rawValue }
}
