internal import Foundation
internal import TakeupCurl
internal import TakeupFields

/// Sends requests to origins over HTTP, one at a time, and follows redirects.
final class HTTPOrigin {
    /// Number of bytes of a useless body that are read, so that the connection can be reused.
    private static let drainedBytes: Int64 = 64 << 10
    /// Seconds between two checks whether a queued request is still wanted; as often as a transfer
    /// checks.
    private static let lookSeconds = 0.1

    private let settings: FetchSettings
    private var transfer: Transfer?
    /// The turn at a host: waited for, or held while an answer is received.
    private var turn: HostTurn?
    /// Time budget of all requests together.
    ///
    /// Waits for a turn and for the receiver of a body do not count.
    var budget: TimeBudget
    /// Seconds that the last request waited for its turn.
    private(set) var waitedSeconds = 0.0
    /// Whether the last request was sent.
    private(set) var hasAsked = false
    /// Address of the peer that answered last.
    private(set) var peer: IPAddress?
    /// Web address of the last answer, after all redirects.
    private(set) var answered: WebAddress?
    /// Seconds from the last request to the first byte of its answer.
    private(set) var firstByteSeconds: Double?

    init(_ settings: FetchSettings) {
        self.settings = settings
        budget = TimeBudget(seconds: settings.totalSeconds)
    }

    /// Gives up the turn or the place in line, while nothing is requested or the answer is held.
    func leaveTurn() { turn = nil }

    /// Sends a request, follows its redirects, and repeats it for the whole object where the answer
    /// does not tell whether it holds a part.
    ///
    /// - Parameters:
    ///   - ask: The request.
    ///   - now: The local clock, for dates in the answer.
    ///   - cancellation: Ends the request from any thread; the place in line stays for the next
    ///     request.
    ///   - isWanted: Polled while the request waits for its turn; `false` ends the wait like a
    ///     cancellation.
    ///   - reception: Receives the body.
    /// - Returns: The outcome of the last answer.
    /// - Throws: `FetchError.denied` for an address that may not be connected to; `.unreachable` if
    ///   the time budget is spent; the reception's error.
    func perform(
        _ ask: OriginRequest, now: HTTPDate, cancellation: TransferCancellation,
        isWanted: () -> Bool = { true }, _ reception: any OriginReceiver
    ) throws(FetchError) -> OriginOutcome {
        (waitedSeconds, hasAsked) = (0, false)
        var address = ask.address
        var fields = settings.originFields
        if let home = ask.home { fields = try permitted(fields, at: address, home: home) }
        var (ask, redirects) = (ask, 0)
        while true {
            let question = OriginQuestion(
                offset: ask.offset, count: ask.count, isRanged: ask.isRanged,
                version: ask.version, isConditional: ask.isConditional, redirects: redirects,
                address: address.redacted)
            try vet(address)
            try requireTime(address)
            guard takesTurn(at: address, while: { !cancellation.isCancelled && isWanted() }) else {
                return .stopped
            }
            defer { giveTurn() }
            hasAsked = true
            var request = TransferRequest(
                address, fields: fields + ask.fields(settings.judge.tagPolicy),
                limits: limits, mayConnect: mayConnect)
            request.authorities = settings.authorities
            guard
                let outcome = try exchange(request, question, now, cancellation, reception)
            else { continue }
            answered = address
            if case .verdict(.askWhole) = outcome, ask.isRanged {
                ask.isRanged = false
                continue
            }
            // A body without a length, as long as the requested part, may be that part. It has been
            // received: the caller asks again.
            if case .body(.length(let length)) = outcome, length == ask.count {
                return .verdict(.askWhole)
            }
            guard case .verdict(.redirect(let location)) = outcome else { return outcome }
            let next = try follow(location, from: address)
            if !next.hasSameOrigin(as: address) {
                fields.removeAll { !SecretFields.isHarmless($0.name) }
            }
            address = next
            redirects += 1
        }
    }

    /// Returns the request fields that may be sent to an address that another address has named.
    private func permitted(
        _ fields: [TransferRequest.Field], at address: WebAddress, home: WebAddress
    ) throws(FetchError) -> [TransferRequest.Field] {
        guard SecretFields.permits(address, from: home) else {
            throw .denied("an http address in what came by https", address: address.redacted)
        }
        guard !address.hasSameOrigin(as: home) else { return fields }
        return fields.filter { SecretFields.isHarmless($0.name) }
    }

    private func requireTime(_ address: WebAddress) throws(FetchError) {
        guard budget.isSpent else { return }
        throw .unreachable(
            "not all here after \(budget.seconds ?? 0) seconds", address: address.redacted)
    }

    /// Waits for the turn to transfer from a host.
    ///
    /// - Returns: Whether the turn has come.
    private func takesTurn(at address: WebAddress, while isWanted: () -> Bool) -> Bool {
        if turn?.host != HostConnectionLimiter.host(address) {
            turn = settings.hostTurns.turn(at: address, most: settings.connectionsPerHost)
        }
        let began = FetchSession.monotonicSeconds
        defer { waitedSeconds += FetchSession.monotonicSeconds - began }
        while turn?.wait(seconds: Self.lookSeconds) == false {
            guard isWanted() else { return false }
        }
        return true
    }

    /// Passes the turn to the next in line and closes the connection; keeps it idle if nobody
    /// waits.
    private func giveTurn() {
        if turn?.isWanted == true { transfer = nil }
        turn = nil
    }

    private var limits: TransferLimits {
        var limits = settings.limits
        limits.totalSeconds = [limits.totalSeconds, budget.leftSeconds].compactMap(\.self).min()
        limits.bytesPerSecond = settings.bytesPerSecond ?? limits.bytesPerSecond
        return limits
    }

    private var mayConnect: @Sendable (IPAddress, UInt16) -> Bool {
        let policy = settings.addressPolicy
        return { address, port in policy.denial(of: address, port: port) == nil }
    }

    private func vet(_ address: WebAddress) throws(FetchError) {
        guard let denial = settings.addressPolicy.denial(of: address) else { return }
        throw .denied("\(denial)", address: address.redacted)
    }

    func follow(
        _ location: String, from address: WebAddress
    ) throws(FetchError) -> WebAddress {
        let next: WebAddress
        do throws(CurlError) {
            next = try address.resolving(location)
        } catch {
            throw .denied("a redirect: \(error)", address: address.redacted)
        }
        if address.scheme == .https, next.scheme == .http {
            throw .denied("a redirect from https to http", address: address.redacted)
        }
        return next
    }

    /// - Returns: nil if a kept connection brought no answer but what the last one left behind its
    ///   body: the connection is given up, and a new one brings the answer.
    private func exchange(
        _ request: TransferRequest, _ question: OriginQuestion, _ now: HTTPDate,
        _ cancellation: TransferCancellation, _ reception: any OriginReceiver
    ) throws(FetchError) -> OriginOutcome? {
        let isKept = transfer != nil
        let transfer = try ready(request.address)
        var verdict: OriginVerdict?
        var drained: Int64 = 0
        let began = FetchSession.monotonicSeconds
        var heldSeconds = 0.0
        defer {
            budget.spend(FetchSession.monotonicSeconds - began - heldSeconds)
            (peer, firstByteSeconds) = (transfer.peer, transfer.firstByteSeconds)
        }
        let result: TransferResult?
        var failure: CurlError?
        do throws(CurlError) {
            result = try transfer.perform(request, cancellation: cancellation) { head in
                let judged = settings.judge.verdict(on: head, to: question, now: now)
                verdict = judged
                return reception.begin(judged, head)
            } onBody: { bytes in
                let came = FetchSession.monotonicSeconds
                defer { heldSeconds += FetchSession.monotonicSeconds - came }
                if reception.wantsBody { return reception.take(bytes) }
                drained += Int64(bytes.count)
                return drained <= Self.drainedBytes
            }
        } catch {
            (result, failure) = (nil, error)
        }
        if let refused = reception.failure { throw refused }
        guard let verdict else {
            if isKept, failure?.kind == .protocol {
                self.transfer = nil
                return nil
            }
            if let failure { return try unanswered(failure) }
            return .stopped
        }
        guard reception.wantsBody else { return .verdict(verdict) }
        if failure?.kind == .cancelled || result?.ending == .stoppedByCaller && !reception.hasMore {
            return .stopped
        }
        return try reception.finish(endedWell: result?.ending == .complete)
    }

    private func ready(_ address: WebAddress) throws(FetchError) -> Transfer {
        if let transfer { return transfer }
        do throws(CurlError) {
            let made = try Transfer()
            transfer = made
            return made
        } catch {
            throw .unreachable("\(error)", address: address.redacted)
        }
    }

    private func unanswered(_ error: CurlError) throws(FetchError) -> OriginOutcome {
        switch error.kind {
        case .cancelled: return .stopped
        case .denied, .refused: throw .denied("\(error)", address: error.subject)
        case .tls: throw .unreachable("\(error)", address: error.subject)
        case .tooLarge, .protocol: throw .invalidResponse("\(error)", address: error.subject)
        case .resolve, .connect, .timeout, .tooSlow, .cut, .unreadableBody, .outOfFiles, .other:
            return .unreachable(error)
        }
    }
}
