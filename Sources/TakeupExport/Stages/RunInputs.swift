/// The opened assets of one export.
struct RunInputs: Sendable {
    let sources: [OpenedSource]
    var assets: [InspectedAsset]
    var texts = TextFiles()
}
