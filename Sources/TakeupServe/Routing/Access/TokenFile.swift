internal import Foundation
internal import TakeupFiles
internal import TakeupLanes
internal import TakeupModel
internal import TakeupTelemetry

/// A file of tokens, read again when it changes.
final class TokenFile: Sendable {
    private let path: String
    private let log: Log
    private let state: Locked<State>

    private struct State {
        var list: TokenList
        var identity: FileIdentity?
        /// Why the file could not be read the last time; empty where it could.
        var fault = ""
    }

    /// - Throws: `Failure` with `configuration` if the file is missing, readable by others or no list of tokens.
    init(_ path: String, log: Log) throws(Failure) {
        (self.path, self.log) = (path, log)
        let (list, identity) = try Self.read(path)
        if let fault = list.fault { throw fault }
        state = Locked(State(list: list, identity: identity))
    }

    /// The tokens that count now.
    ///
    /// A file that cannot be read keeps those that counted before: a mount that is away for a moment locks nobody out. What a
    /// file that can be read does not hold has been taken away, also where another line is wrong.
    var list: TokenList {
        let identity = FileIdentity(path: path)
        let kept = state.withLock { $0.identity == identity && $0.fault.isEmpty ? $0.list : nil }
        if let kept { return kept }
        do throws(Failure) {
            let (list, identity) = try Self.read(path)
            state.withLock { $0 = State(list: list, identity: identity) }
            if let fault = list.fault { log.record(.error, fault.message) }
            log.record(.info, "read the tokens again", [LogField("tokens", list.entries.count)])
            return list
        } catch {
            let (list, isNew) = state.withLock { state in
                defer { state.fault = error.message }
                return (state.list, state.fault != error.message)
            }
            if isNew { log.record(.error, "the tokens before still count: \(error.message)") }
            return list
        }
    }

    private static func read(_ path: String) throws(Failure) -> (TokenList, FileIdentity) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0, let identity = FileIdentity(descriptor: descriptor) else {
            let reason = String(cString: strerror(errno))
            throw TokenList.unusable("cannot read the tokens in \(path): \(reason)")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw TokenList.unusable("\(path) is no file")
        }
        guard status.st_mode & 0o007 == 0 else {
            throw Failure(
                exitCode: .configuration, code: "tokenFileOpen", stage: "request",
                message: "everybody on this machine can read the tokens in \(path)",
                hint: "chmod 600 \(path)")
        }
        guard identity.bytes <= TokenList.longestFile else {
            throw TokenList.unusable("\(path) is too large for a file of tokens")
        }
        var bytes = [UInt8](repeating: 0, count: Int(identity.bytes))
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count >= 0, let text = String(validating: bytes.prefix(count), as: UTF8.self) else {
            throw TokenList.unusable("\(path) is no text in UTF-8")
        }
        return (TokenList(text, path: path), identity)
    }
}
