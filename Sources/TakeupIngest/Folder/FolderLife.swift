package import TakeupLanes

/// Lets long work within one step of a folder's lane report that it is alive, and learn that it must stop.
package struct FolderLife: Sendable {
    /// A sign of life.
    package let beat: @Sendable () -> Void
    /// Says whether outputs can be written: why not, or nil.
    package let noteOutput: @Sendable (String?) -> Void
    package let stop: Cancellation
    /// The daemon's own folders.
    package let places: OwnPlaces

    package init(
        beat: @escaping @Sendable () -> Void, noteOutput: @escaping @Sendable (String?) -> Void,
        stop: Cancellation, places: OwnPlaces
    ) {
        (self.beat, self.noteOutput) = (beat, noteOutput)
        (self.stop, self.places) = (stop, places)
    }

    /// Long work reads this often; each read also reports that the lane is alive.
    package var isStopped: Bool {
        beat()
        return stop.isCancelled
    }
}
