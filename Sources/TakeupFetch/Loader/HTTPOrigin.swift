internal import Foundation
internal import TakeupCurl

/// Asks origins over http, one question at a time, along their redirects.
final class HTTPOrigin {
    /// What of an answer without use is read, so that its connection can be kept.
    private static let drainedBytes: Int64 = 64 << 10
    /// Fields that tell nobody anything that is secret.
    private static let harmless: Set<String> = ["accept", "accept-language", "user-agent"]
    /// Between two looks at whether somebody still wants what waits for its turn, as often as a transfer looks.
    private static let lookSeconds = 0.1

    private let settings: FetchSettings
    private var transfer: Transfer?
    /// Waited for, or had while an answer is taken.
    private var turn: HostTurn?
    /// What all questions together may take; waits for a turn, and for who takes a body, cost nothing of it.
    var budget: TimeBudget
    /// How long the last question waited for its turn.
    private(set) var waitedSeconds = 0.0
    /// Whether the last question went out.
    private(set) var hasAsked = false
    /// Who answered last.
    private(set) var peer: IPAddress?
    /// Whose answer it was, behind all redirects.
    private(set) var answered: WebAddress?
    /// From the last request to the first byte of its answer.
    private(set) var firstByteSeconds: Double?

    init(_ settings: FetchSettings) {
        self.settings = settings
        budget = TimeBudget(seconds: settings.totalSeconds)
    }

    /// Gives up its turn, or its place in a line for one, while nothing is asked or an answer is not taken on.
    func leaveTurn() { turn = nil }

    /// Asks, and follows redirects.
    ///
    /// - Parameters:
    ///   - ask: What is wanted.
    ///   - now: For dates in the answer.
    ///   - cancellation: Ends it from any thread; a place in a line for the turn stays for the next question.
    ///   - isWanted: Asked while it waits for its turn; `false` ends that as a cancellation does.
    ///   - reception: Takes the body.
    /// - Returns: What the last answer came to.
    /// - Throws: `FetchError.denied` for what may not be connected to; `.unreachable` when the time for all is spent;
    ///   what the reception failed with.
    func perform(
        _ ask: OriginRequest, now: HTTPDate, cancellation: TransferCancellation,
        isWanted: () -> Bool = { true }, _ reception: any OriginReceiver
    ) throws(FetchError) -> OriginOutcome {
        (waitedSeconds, hasAsked) = (0, false)
        var address = ask.address
        var fields = settings.originFields
        if let home = ask.home { fields = try permitted(fields, at: address, home: home) }
        var redirects = 0
        while true {
            let question = OriginQuestion(
                offset: ask.offset, version: ask.version, isConditional: ask.isConditional,
                redirects: redirects, address: address.redacted)
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
            let outcome = try exchange(request, question, now, cancellation, reception)
            answered = address
            guard case .verdict(.redirect(let location)) = outcome else { return outcome }
            let next = try follow(location, from: address)
            if !next.hasSameOrigin(as: address) {
                fields.removeAll { !Self.harmless.contains($0.name.lowercased()) }
            }
            address = next
            redirects += 1
        }
    }

    /// What may be told to an address that another one has named.
    private func permitted(
        _ fields: [TransferRequest.Field], at address: WebAddress, home: WebAddress
    ) throws(FetchError) -> [TransferRequest.Field] {
        if home.scheme == .https, address.scheme == .http {
            throw .denied("an http address in what came by https", address: address.redacted)
        }
        guard !address.hasSameOrigin(as: home) else { return fields }
        return fields.filter { Self.harmless.contains($0.name.lowercased()) }
    }

    private func requireTime(_ address: WebAddress) throws(FetchError) {
        guard budget.isSpent else { return }
        throw .unreachable(
            "not all here after \(budget.seconds ?? 0) seconds", address: address.redacted)
    }

    /// Waits for the turn to transfer from a host.
    ///
    /// - Returns: Whether it is had.
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

    /// Lets the next in line go on; closes the connection for it, which is kept idle where nobody waits.
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

    private func exchange(
        _ request: TransferRequest, _ question: OriginQuestion, _ now: HTTPDate,
        _ cancellation: TransferCancellation, _ reception: any OriginReceiver
    ) throws(FetchError) -> OriginOutcome {
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
        case .resolve, .connect, .timeout, .tooSlow, .cut, .other: return .unreachable(error)
        }
    }
}
