internal import Foundation
internal import TakeupFetch
internal import TakeupJobs
internal import TakeupLanes
internal import TakeupMediaClient
internal import TakeupModel
internal import TakeupWorker

/// Asks the sealed process that works on media, for requests that wait: one after the other.
final class MediaDesk: Sendable {
    /// Seconds for which an answer about the process itself holds.
    private static let healthSeconds = 60.0
    private static let pollSeconds = 0.2

    private struct Health {
        var failure: Failure?
        var isKnown = false
        var dueAt = -Double.infinity
    }

    private let service: MediaService
    private let now: @Sendable () -> Double
    private let health = Locked(Health())

    init(_ configuration: HelperConfiguration, now: @escaping @Sendable () -> Double) {
        service = MediaService(configuration)
        self.now = now
    }

    /// Ends the process.
    func stop() {
        service.start { $0.stop() }
    }

    /// Plans a job with each of some presets.
    ///
    /// - Parameters:
    ///   - spec: Names its sources.
    ///   - presets: In any number; empty for the job's own.
    ///   - library: Fetches addresses.
    ///   - isAbandoned: Polled; ends the work.
    /// - Returns: In the presets' order.
    /// - Throws: For sources that cannot be read or fetched.
    func plans(
        _ spec: JobSpec, presets: [ExportPreset], from library: SourceLibrary,
        isAbandoned: @escaping @Sendable () -> Bool
    ) throws(Failure) -> [PlanAnswer] {
        let sources = try PlanSources(spec, from: library, isAbandoned: isAbandoned)
        let work = ForegroundWork(spec.request, sources: sources.all)
        let cancellation = Cancellation()
        sources.onFailure { cancellation.cancel() }
        let result = wait(cancellation, isAbandoned) { service in
            Result { () throws(ExportError) in
                try service.plans(work, presets: presets, cancellation: cancellation)
            }
        }
        switch result {
        case .success(let answers): return answers
        case .failure(let error): throw sources.failure ?? Failure(error)
        }
    }

    /// Why the process cannot be started; nil when it can.
    func fault() -> Failure? {
        let time = now()
        let known = health.withLock { $0 }
        if known.isKnown, time < known.dueAt { return known.failure }
        let failure = wait(Cancellation(), { false }) { service -> Failure? in
            do throws(ExportError) {
                _ = try service.inventory(encoders: [], filters: [])
                return nil
            } catch {
                return Failure(error)
            }
        }
        health.withLock {
            $0 = Health(failure: failure, isKnown: true, dueAt: time + Self.healthSeconds)
        }
        return failure
    }

    /// Waits on this thread, which is the connection's own.
    private func wait<Value: Sendable>(
        _ cancellation: Cancellation, _ isAbandoned: @Sendable () -> Bool,
        _ body: @escaping @Sendable (isolated MediaService) -> Value
    ) -> Value {
        let box = Locked<Value?>(nil)
        let done = Bell()
        service.start { service in
            let value = body(service)
            box.withLock { $0 = value }
            done.ring()
        }
        while true {
            done.wait(seconds: Self.pollSeconds)
            if let value = box.withLock({ $0 }) { return value }
            if isAbandoned() { cancellation.cancel() }
        }
    }
}
