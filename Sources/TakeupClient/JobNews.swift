internal import Foundation
internal import TakeupJobs
internal import TakeupLanes
internal import TakeupModel

/// Wakes whoever follows a job when the server has something new to tell of it.
final class JobNews: Sendable {
    /// Seconds before a stream that broke is asked for again.
    private static let againSeconds = 2.0

    private struct State {
        var job: JobID?
        /// Whether something came that nobody has been woken for.
        var isDue = false
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let client: ServerClient
    private let state = Locked(State())

    init(_ client: ServerClient) { self.client = client }

    /// Returns when something happens to the job, or after so many seconds; for one job and one caller.
    func wait(for job: JobID, seconds: Double) async {
        let isFirst = state.withLock { state in
            defer { state.job = job }
            return state.job == nil
        }
        if isFirst { listen(to: job) }
        let timer = Task {
            try? await Task.sleep(for: .seconds(seconds))
            ring(isNews: false)
        }
        await withCheckedContinuation { continuation in
            let isDue = state.withLock { state in
                let isDue = state.isDue
                state.isDue = false
                if !isDue { state.waiting = continuation }
                return isDue
            }
            if isDue { continuation.resume() }
        }
        timer.cancel()
    }

    private func ring(isNews: Bool) {
        let waiting = state.withLock { state in
            if state.waiting == nil { state.isDue = state.isDue || isNews }
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume()
    }

    /// Until the process ends; what a stream tells is asked for anew, so that none of it has to be read.
    private func listen(to job: JobID) {
        Lane("takeup.client.news").start { [self] in
            while true {
                let path = "/v1/jobs/\(ServerClient.encoded(job.rawValue))/events"
                try? client.follow(.init(path)) { _ in
                    ring(isNews: true)
                    return true
                }
                Thread.sleep(forTimeInterval: Self.againSeconds)
            }
        }
    }
}
