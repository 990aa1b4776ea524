/// The assets of one export, opened.
struct RunInputs: Sendable {
    let sources: [OpenedSource]
    var assets: [InspectedAsset]
}
