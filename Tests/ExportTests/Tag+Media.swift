import Testing

extension Tag {
    /// Makes clips with FFmpeg and exports them.
    @Tag static var media: Self
}
