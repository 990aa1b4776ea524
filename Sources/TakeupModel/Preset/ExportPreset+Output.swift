extension ExportPreset {
    /// The same for a file of some name: its ending decides about the container.
    ///
    /// - Parameter name: A file's name or path; one without `.mp4`, `.m4v` or `.m4a` changes nothing.
    /// - Returns: For `.m4a` the preset with its sound alone; for the others a preset that writes an MP4, also when it
    ///   has sound alone.
    /// - Throws: `PresetError.unsupported` for `.m4a` and a preset without sound.
    public func writing(to name: String) throws(PresetError) -> ExportPreset {
        let name = name.lowercased()
        var preset = self
        if name.hasSuffix(".m4a") {
            guard audio != nil else {
                throw .unsupported(name: self.name, reason: "it holds no sound, which .m4a needs")
            }
            (preset.container, preset.video, preset.subtitles) = (.m4a, nil, .drop)
        } else if name.hasSuffix(".mp4") || name.hasSuffix(".m4v") {
            preset.container = .mp4
        }
        return preset
    }
}
