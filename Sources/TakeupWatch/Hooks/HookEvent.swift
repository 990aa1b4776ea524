internal import Foundation

/// Something that became of a file, as hooks are told.
public struct HookEvent: Equatable, Sendable {
    /// What settings call it.
    public enum Name: String, Sendable, CaseIterable {
        /// A file is whole, and a job is to make an output of it.
        case queued
        /// Its output stands.
        case done
        /// Its job failed for good.
        case failed
        /// A rule says that nothing is made of it.
        case skipped
        /// What was to be done with the source of an output is over.
        case acted
    }

    /// What was made of a file.
    public struct Output: Codable, Equatable, Sendable {
        /// Absolute.
        public var path: String
        public var bytes: Int64
        /// 64 lower-case hexadecimal digits.
        public var sha256: String
        /// Seconds that it plays; nil for what has no duration.
        public var duration: Double?

        public init(path: String, bytes: Int64, sha256: String, duration: Double?) {
            (self.path, self.bytes, self.sha256) = (path, bytes, sha256)
            self.duration = duration.flatMap { $0.isFinite ? $0 : nil }
        }
    }

    /// Why nothing was made of it.
    public struct Fault: Codable, Equatable, Sendable {
        /// Stable, for scripts.
        public var code: String
        public var message: String
        public var hint: String

        /// Longer texts are cut: a program's environment takes so much only.
        public init(code: String, message: String, hint: String) {
            self.code = code
            self.message = String(message.prefix(Self.mostCharacters))
            self.hint = String(hint.prefix(Self.mostCharacters))
        }

        private static let mostCharacters = 4096
    }

    /// What became of the source of an output.
    public struct Action: Codable, Equatable, Sendable {
        /// `move`, `trash`, `delete`, `replace` or `set-aside`.
        public var kind: String
        /// `done`; or, when nothing was done, `gone` or `changed`.
        public var outcome: String
        /// Where the source, or what took its place, lies now.
        public var place: String?

        public init(_ kind: SourceAction.Kind, _ outcome: SourceOutcome) {
            self.kind = kind.rawValue
            switch outcome {
            case .done(let place): (self.outcome, self.place) = ("done", place)
            case .gone: self.outcome = "gone"
            case .changed: self.outcome = "changed"
            }
        }
    }

    public let name: Name
    /// 32 hexadecimal digits, the same however often it is told.
    public let id: String
    /// As ISO 8601 has it, in UTC, with milliseconds.
    public let time: String
    /// Absolute.
    public let folder: String
    /// From the folder on.
    public let path: String
    /// nil for what is skipped.
    public let job: String?
    public var output: Output?
    public var fault: Fault?
    public var action: Action?
    /// Why it is skipped.
    public var reason: String?

    /// - Parameters:
    ///   - name: What happened.
    ///   - file: To what; its job and its reason are told too.
    ///   - seconds: When, in seconds since 1970.
    /// - Throws: `WatchError.failed` without memory.
    public init(_ name: Name, of file: WatchedFile, at seconds: Double) throws(WatchError) {
        (self.name, folder, path, job) = (name, file.folder, file.path, file.job)
        reason = name == .skipped ? file.reason : nil
        time = Date(timeIntervalSince1970: seconds).formatted(
            Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        id = Hook.digest(of: [
            name.rawValue, file.folder, file.path, file.job ?? "", file.fingerprint, "\(seconds)",
        ])
    }

    /// What was done with a source.
    public init(
        _ action: SourceAction, _ outcome: SourceOutcome, at seconds: Double
    ) throws(WatchError) {
        var file = WatchedFile(
            folder: action.folder, path: action.path, identity: action.identity,
            fingerprint: action.fingerprint, work: "")
        file.job = action.job
        try self.init(.acted, of: file, at: seconds)
        self.action = Action(action.kind, outcome)
    }

    /// The file that it is about, absolute.
    public var source: String { folder == "/" ? "/\(path)" : "\(folder)/\(path)" }

    /// What `type` says in JSON, such as `watch.done`.
    public var type: String { Self.typePrefix + name.rawValue }

    static let typePrefix = "watch."
}
