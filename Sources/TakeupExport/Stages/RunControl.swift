internal import Foundation
internal import TakeupFFmpeg
internal import TakeupLanes

/// The state that all lanes of one export share: the stop flag, the first error, and the wake-up
/// functions.
final class RunControl: Sendable {
    let cancellation: Cancellation
    private let failure = Locked<ExportError?>(nil)
    private let closers = Locked<[@Sendable () -> Void]>([])

    init(_ cancellation: Cancellation) {
        self.cancellation = cancellation
        cancellation.onCancel { [weak self] in self?.stop() }
    }

    /// The first error of any lane.
    var error: ExportError? { failure.withLock { $0 } }

    var isStopped: Bool { cancellation.isCancelled || error != nil }

    /// Registers a function that wakes a lane waiting on a queue.
    func onStop(_ close: @escaping @Sendable () -> Void) {
        closers.withLock { $0.append(close) }
    }

    /// Records an error and stops every lane.
    func fail(_ error: ExportError) {
        failure.withLock { $0 = $0 ?? error }
        stop()
    }

    func fail(_ error: FFmpegError, _ stage: ExportStage) {
        fail(error.status == .interrupted ? .cancelled : ExportError(error, stage))
    }

    /// Wakes every lane; each lane then ends itself.
    func stop() {
        let closers = closers.withLock { $0 }
        for close in closers { close() }
    }
}
