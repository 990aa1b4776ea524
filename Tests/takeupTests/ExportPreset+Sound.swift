import TakeupModel

extension ExportPreset {
    /// One that keeps a source's sound alone, under any name.
    static func sound(named name: String) -> ExportPreset {
        var preset = ExportPreset(name: name, description: "", container: .m4a)
        preset.audio = AudioSettings(codec: .aac)
        return preset
    }
}
