internal import TakeupWorker

extension WorkerAccess {
    /// A worker that takes no job, for a process that leaves them to others; it ends when it is asked to.
    package static func idle() -> WorkerAccess {
        let (events, telling) = AsyncStream<WorkerEvent>.makeStream()
        let (life, living) = AsyncStream<Never>.makeStream()
        let end = { @Sendable in
            telling.finish()
            living.finish()
        }
        return WorkerAccess(
            start: {}, events: { events }, drain: end, stop: end,
            finished: { for await _ in life {} })
    }
}
