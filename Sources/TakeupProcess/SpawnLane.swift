internal import Foundation
internal import TakeupLanes

/// One thread that starts all children and lives as long as the process.
///
/// A child that is set to die with its parent dies when the thread that started it ends. Dispatch
/// ends its idle threads, so this thread is not a Dispatch thread.
final class SpawnLane: Sendable {
    static let shared = SpawnLane()

    private let queue = BoundedQueue<Work>(capacity: 64)

    private struct Work: Sendable {
        let body: @Sendable () -> Void
    }

    private init() {
        let thread = Thread { [queue] in
            while let work = queue.pop() { work.body() }
        }
        thread.name = "takeup.spawn"
        thread.start()
    }

    /// Runs a short piece of work on the thread and waits for its result.
    func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) -> Value {
        let done = BoundedQueue<Value>(capacity: 1)
        _ = queue.push(Work { _ = done.push(body()) })
        guard let value = done.pop() else { preconditionFailure("the spawning thread never ends") }
        return value
    }
}
