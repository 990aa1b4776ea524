extension ExportPreset {
    /// The extension of a file that this preset writes, without the dot.
    package var fileExtension: String { container.rawValue }
}
