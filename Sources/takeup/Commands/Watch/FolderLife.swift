import TakeupLanes

/// How long work within one step of a folder's lane says that it goes on, and hears that it shall end.
struct FolderLife: Sendable {
    /// A sign of life.
    let beat: @Sendable () -> Void
    /// Says whether outputs can be written: why not, or nil.
    let noteOutput: @Sendable (String?) -> Void
    let stop: Cancellation
    /// The daemon's own folders.
    let places: OwnPlaces

    /// Asked often in long work: also says that it goes on.
    var isStopped: Bool {
        beat()
        return stop.isCancelled
    }
}
