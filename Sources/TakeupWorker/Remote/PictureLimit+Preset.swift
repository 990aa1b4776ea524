public import TakeupExport
public import TakeupFetch

extension PictureLimit {
    /// The size of a preset's pictures; none where the preset limits none.
    public init(_ preset: ExportPreset) {
        self.init(
            maxWidth: preset.video?.maxWidth, maxHeight: preset.video?.maxHeight,
            turns: preset.video?.orientation == .any)
    }
}
