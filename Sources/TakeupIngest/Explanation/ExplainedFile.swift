/// A file that somebody asks about, and how its folder is watched.
package struct ExplainedFile: Sendable {
    /// Where the folder's settings are from.
    package enum Settings: Sendable, Equatable {
        /// The command line that asks, or the configuration that it reads.
        case asked
        /// Who watched the folder last.
        case noted
        /// The defaults: nothing was noted.
        case unknown
    }

    package let place: WatchedPath
    package let request: WatchRequest
    package let settings: Settings

    package init(_ place: WatchedPath, _ request: WatchRequest, _ settings: Settings) {
        (self.place, self.request, self.settings) = (place, request, settings)
    }

    /// nil where the settings are those that were asked with.
    var settingsPoint: ExplanationPoint? {
        switch settings {
        case .asked: nil
        case .noted:
            ExplanationPoint(
                question: "settings", answer: "those that \(place.folder) was watched with last")
        case .unknown:
            ExplanationPoint(
                question: "settings",
                answer: "not noted for \(place.folder), so those not named here count as the "
                    + "defaults; ask with the folder's options to learn preset and output, too"
            )
        }
    }
}
