internal import TakeupFetch
internal import TakeupFiles

/// How a wait for bytes is ended and told, and what its failure means.
struct Fetching {
    /// The limits within which sources are fetched whole before they are read, because one changed while it was read
    /// before; else nil.
    let wholeLimits: SourceLimits?
    /// Called a few times a second; `true` stops the fetch.
    let isStopped: () -> Bool
    /// Called while a source is fetched whole.
    let onProgress: (LoaderStatus) -> Void
    let cacheFolder: String
    /// Free space that is left to others.
    let minFreeBytes: Int64

    /// What a source that could not be fetched means for the attempt.
    func end(_ error: FetchError) -> AttemptEnd { AttemptEnd(error, self) }

    /// Waits until so much is free besides what is left to others.
    func noRoom(for bytes: Int64, at path: String) -> AttemptEnd {
        // Who waits for the cache's own folder counts what is left to others by itself.
        path.hasPrefix("\(cacheFolder)/")
            ? .noRoom(path: cacheFolder, needBytes: bytes)
            : .noRoom(path: Folder.containing(path), needBytes: bytes + minFreeBytes)
    }
}
