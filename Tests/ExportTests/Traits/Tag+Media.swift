import Testing

extension Tag {
    /// Tests that make clips and export them.
    @Tag static var media: Self
}
