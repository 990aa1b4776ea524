package import TakeupModel

/// What is known of one worker of a queue.
///
/// Times are seconds since 1970, by the database's clock.
public struct WorkerEntry: Sendable, Equatable {
    /// A worker that has given no sign of life for this long counts as silent, in seconds.
    public static let silentSeconds = 45.0
    /// A silent worker is forgotten after this long, in seconds.
    public static let forgottenSeconds = 86_400.0

    public enum State: String, Sendable, CaseIterable {
        case working
        /// Starts nothing for now, as outside of its hours.
        case paused
        /// Ends its running jobs and starts none.
        case draining
    }

    public let id: WorkerID
    /// The name of its machine.
    public let host: String
    /// Its number there.
    public let process: Int
    /// Of Takeup.
    public let version: String
    public var state: State
    public let lanes: Int
    /// Jobs that it does now.
    public var running: Int
    public let scope: ClaimScope
    public package(set) var startedAt = 0.0
    public package(set) var seenAt = 0.0

    public init(
        id: WorkerID, host: String, process: Int, version: String, state: State, lanes: Int,
        running: Int, scope: ClaimScope
    ) {
        (self.id, self.host, self.process, self.version) = (id, host, process, version)
        (self.state, self.lanes, self.running, self.scope) = (state, lanes, running, scope)
    }

    /// Whether it gave a sign of life lately.
    public func isAlive(at time: Double) -> Bool { time - seenAt < Self.silentSeconds }

    /// What `workers list --json` tells, and the API.
    package func json(at time: Double) -> JSONValue {
        [
            "id": .text(id.rawValue), "host": .text(host), "process": .whole(process),
            "version": .text(version),
            "state": .text(isAlive(at: time) ? state.rawValue : "silent"),
            "lanes": .whole(lanes), "jobs": .whole(running),
            "queues": scope.queues.map { .list($0.sorted().map(JSONValue.text)) } ?? .null,
            "tags": .list(scope.tags.sorted().map(JSONValue.text)),
            "startedAt": .timestamp(startedAt), "lastSeenAt": .timestamp(seenAt),
        ]
    }
}
