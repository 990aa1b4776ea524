internal import Foundation
internal import TakeupCurl
internal import TakeupFields
internal import TakeupLanes

/// Sends requests to an object store: signed, and repeated with growing pauses where that may help.
///
/// Calls block and may come from any lane; each uses a connection of its own, kept for the next call.
public final class S3Client: Sendable {
    /// The longest answer that is kept in memory, in bytes: a page of a listing takes less than a megabyte.
    private static let mostAnswerBytes = 8 << 20
    /// Connections that are kept.
    private static let keptConnections = 16

    public let endpoint: S3Endpoint
    private let authorities: String?
    private let keys: Locked<S3Credentials>
    private let renew: @Sendable () -> S3Credentials?
    private let idle = Locked<[Confined<Transfer>]>([])
    private let backoff: S3Backoff
    /// Ends requests, and the pauses between their tries; nil where nobody does.
    private let cancellation: TransferCancellation?
    private let pause: @Sendable (Double) -> Void

    /// - Parameters:
    ///   - settings: The server and the first keys.
    ///   - backoff: How often and when a request is repeated.
    ///   - pause: Waits so many seconds.
    ///   - renew: Reads the keys again, after the server has refused the ones in use; nil has no others.
    ///   - isStopped: Asked several times a second while a request runs; `true` ends it with `.cancelled`, except
    ///     one that aborts an upload.
    public init(
        _ settings: S3Settings, backoff: S3Backoff = S3Backoff(),
        pause: @escaping @Sendable (Double) -> Void = S3Client.wait,
        renew: @escaping @Sendable () -> S3Credentials? = { nil },
        isStopped: (@Sendable () -> Bool)? = nil
    ) {
        (endpoint, authorities) = (settings.endpoint, settings.authorities)
        keys = Locked(settings.credentials)
        (self.backoff, self.pause, self.renew) = (backoff, pause, renew)
        cancellation = isStopped.map { TransferCancellation($0) }
    }

    private init(_ other: S3Client, _ cancellation: TransferCancellation) {
        (endpoint, authorities) = (other.endpoint, other.authorities)
        keys = Locked(other.credentials)
        (backoff, pause, renew) = (other.backoff, other.pause, other.renew)
        self.cancellation = cancellation
    }

    /// Makes the same client, with connections of its own, for requests that `isStopped` ends, as in `init`.
    public func stopping(_ isStopped: @escaping @Sendable () -> Bool) -> S3Client {
        S3Client(self, TransferCancellation(isStopped))
    }

    /// Blocks for so many seconds.
    public static func wait(_ seconds: Double) { Thread.sleep(forTimeInterval: seconds) }

    /// The keys in use.
    var credentials: S3Credentials { keys.withLock { $0 } }

    /// A successful answer.
    struct Reply {
        var head: ResponseHead
        /// Empty if a receiver took it.
        var body: [UInt8] = []

        /// The server's clock, in seconds since 1970.
        var serverTime: Int64? {
            head["date"].flatMap { HTTPDate($0, now: HTTPDate(secondsSince1970: 0)) }
                .map(\.secondsSince1970)
        }

        var etag: String? {
            head["etag"].map { $0.trimmingCharacters(in: CharacterSet(charactersIn: "\"")) }
        }
    }

    /// Sends a request until it succeeds or trying again is of no use.
    ///
    /// - Parameters:
    ///   - make: Makes the request for the next try.
    ///   - receive: Takes the body of a successful answer; `false` ends it without an error. nil keeps the body.
    /// - Returns: The answer.
    /// - Throws: `S3Error`.
    func perform(
        _ make: () -> S3Request,
        receive: ((ResponseHead, UnsafeRawBufferPointer) -> Bool)? = nil
    ) throws(S3Error) -> Reply {
        var (failed, hasRenewed) = (0, false)
        while true {
            let request = make()
            do throws(S3Error) {
                return try attempt(request, receive)
            } catch {
                failed += 1
                if !hasRenewed, takeNewKeys(after: error) {
                    hasRenewed = true
                    continue
                }
                let random = Double.random(in: 0...1)
                guard let delay = backoff.delay(after: failed, error, random: random) else {
                    throw error
                }
                rest(delay, cancellation(of: request))
            }
        }
    }

    private func cancellation(of request: S3Request) -> TransferCancellation? {
        request.operation == .abortUpload ? nil : cancellation
    }

    /// Waits before the next try; a cancelled request ends with that try.
    private func rest(_ seconds: Double, _ cancellation: TransferCancellation?) {
        guard let cancellation else { return pause(seconds) }
        var left = seconds
        while left > 0, !cancellation.isCancelled {
            pause(min(left, Self.stepSeconds))
            left -= Self.stepSeconds
        }
    }

    /// Longest pause without a look at the cancellation.
    private static let stepSeconds = 0.1

    private func takeNewKeys(after error: S3Error) -> Bool {
        switch error.kind {
        case .credentialsExpired, .credentialsRefused, .denied: break
        default: return false
        }
        guard let fresh = renew() else { return false }
        return keys.withLock { keys in
            guard keys != fresh else { return false }
            keys = fresh
            return true
        }
    }

    private func attempt(
        _ request: S3Request, _ receive: ((ResponseHead, UnsafeRawBufferPointer) -> Bool)?
    ) throws(S3Error) -> Reply {
        let reply: Reply
        let kept = idle.withLock { $0.popLast() }
        do throws(CurlError) {
            let transfer = if let kept { kept } else { Confined(try Transfer()) }
            reply = try send(request, over: transfer.value, receive)
            idle.withLock { idle in
                if idle.count < Self.keptConnections { idle.append(transfer) }
            }
        } catch {
            // What the last answer left behind its body spoils a kept connection, and nothing else.
            if kept != nil, error.kind == .protocol { return try attempt(request, receive) }
            throw self.error(error, request)
        }
        if let error = error(in: reply, request) { throw error }
        return reply
    }

    private func send(
        _ request: S3Request, over transfer: Transfer,
        _ receive: ((ResponseHead, UnsafeRawBufferPointer) -> Bool)?
    ) throws(CurlError) -> Reply {
        var reply = Reply(head: ResponseHead(status: 599))
        _ = try transfer.perform(
            request.transfer(to: endpoint, credentials, authorities: authorities),
            cancellation: cancellation(of: request),
            onHead: { head in
                reply.head = head
                return true
            },
            onBody: { bytes in
                if let receive, (200..<300).contains(reply.head.status) {
                    return receive(reply.head, bytes)
                }
                guard reply.body.count + bytes.count <= Self.mostAnswerBytes else { return false }
                reply.body.append(contentsOf: bytes)
                return true
            })
        return reply
    }

    /// What the answer says went wrong; nil if nothing did.
    private func error(in reply: Reply, _ request: S3Request) -> S3Error? {
        let isDone = (200..<300).contains(reply.head.status)
        // Long work is answered with 200 before its end; only the body says how it ended.
        let saysInBody = request.operation == .completeUpload || request.operation == .copy
        if isDone, !saysInBody { return nil }
        let document = try? XMLElement.document(reply.body)
        if isDone, let document, document.name != "Error" { return nil }
        let code = document?.name == "Error" ? document?.text(of: "Code") ?? "" : ""
        var kind = S3Error.Kind(status: reply.head.status, code: code)
        if isDone, code.isEmpty { kind = .serverFailed }
        if code.isEmpty, request.isStrange(kind) {
            kind = .invalidAnswer(
                "the answer is none of an object store (status \(reply.head.status))")
        }
        var error = failure(kind, request)
        (error.code, error.status) = (Self.plain(code), reply.head.status)
        error.retryAfter = reply.head["retry-after"].flatMap { Double($0) }.map { max($0, 0) }
        return error
    }

    private func error(_ error: CurlError, _ request: S3Request) -> S3Error {
        let kind: S3Error.Kind =
            switch error.kind {
            case .tls: .tls
            case .unreadableBody(let code): .file(errno: code)
            case .tooLarge, .protocol, .refused, .denied: .invalidAnswer(error.reason)
            case .cancelled: .cancelled
            case .resolve, .connect, .timeout, .tooSlow, .cut, .outOfFiles, .other:
                .unreachable(error.reason)
            }
        return failure(kind, request)
    }

    func failure(_ kind: S3Error.Kind, _ request: S3Request) -> S3Error {
        S3Error(
            operation: request.operation, kind: kind, address: request.address,
            server: endpoint.name)
    }

    /// A foreign word for messages.
    private static func plain(_ code: String) -> String {
        String(code.prefix(64).filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ".") })
    }
}
