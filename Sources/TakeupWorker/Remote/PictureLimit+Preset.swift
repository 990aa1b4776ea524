public import TakeupModel
public import TakeupFetch

extension PictureLimit {
    /// The size of a preset's pictures; none where the preset limits none.
    public init(_ preset: ExportPreset) {
        // What is cut to fill its frame comes from a larger picture.
        if preset.video?.fit == .fill {
            self.init()
            return
        }
        self.init(
            maxWidth: preset.video?.maxWidth, maxHeight: preset.video?.maxHeight,
            turns: preset.video?.orientation == .any)
    }
}
