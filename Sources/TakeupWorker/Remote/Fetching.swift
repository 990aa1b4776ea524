internal import TakeupFetch

/// Which pictures are fetched, and how a wait for bytes is ended and told.
struct Fetching {
    /// Of playlists with several sizes.
    var pictureLimit = PictureLimit()
    /// Asked a few times a second.
    let isStopped: () -> Bool
    /// Called while a source is fetched whole.
    let onProgress: (LoaderStatus) -> Void
}
