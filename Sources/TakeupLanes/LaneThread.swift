internal import Foundation

/// A thread for one piece of blocking work.
///
/// Dispatch threads are not used, because there are at most 255. If all of them block, none is left
/// for the work that they wait for.
final class LaneThread {
    private let label: String
    private var body: (() -> Void)?
    private let end: () -> Void

    private init(
        _ label: String, _ body: @escaping () -> Void, _ end: @escaping () -> Void
    ) {
        (self.label, self.body, self.end) = (label, body, end)
    }

    /// Runs `body` on a new thread, releases `body`, then runs `end` on the same thread.
    ///
    /// If the system cannot create a thread, the call waits until it can. Debuggers show the
    /// label's first 15 bytes as the thread's name.
    static func start(
        _ label: String, _ body: @escaping @Sendable () -> Void,
        then end: @escaping @Sendable () -> Void = {}
    ) {
        let work = Unmanaged.passRetained(LaneThread(label, body, end))
        var thread = pthread_t()
        let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
        pthread_attr_init(attributes)
        defer {
            pthread_attr_destroy(attributes)
            attributes.deallocate()
        }
        // Detach the thread from the start, because nobody joins it at the program's end.
        pthread_attr_setdetachstate(attributes, Int32(PTHREAD_CREATE_DETACHED))
        while true {
            let status = pthread_create(
                &thread, attributes,
                { raw in
                    guard let raw else { return nil }
                    Unmanaged<LaneThread>.fromOpaque(raw).takeRetainedValue().run()
                    return nil
                }, work.toOpaque())
            if status == 0 { break }
            precondition(status == EAGAIN, "such a thread can be made")
            usleep(10_000)
        }
    }

    private func run() {
        Thread.current.name = label
        body?()
        body = nil
        end()
    }
}
