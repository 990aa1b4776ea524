internal import TakeupFetch

/// How a wait for bytes is ended and told.
struct Fetching {
    /// Asked a few times a second.
    let isStopped: () -> Bool
    /// Called while a source is fetched whole.
    let onProgress: (LoaderStatus) -> Void
}
