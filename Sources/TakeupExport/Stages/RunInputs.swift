/// The assets of one export, opened.
struct RunInputs: Sendable {
    let sources: [OpenedSource]
    let assets: [InspectedAsset]
}
