extension ExportPreset {
    /// The same for a file that holds sound alone, which is what `.m4a` asks for.
    public var soundOnly: ExportPreset {
        var preset = self
        preset.container = .m4a
        preset.video = nil
        preset.subtitles = .drop
        return preset
    }
}
