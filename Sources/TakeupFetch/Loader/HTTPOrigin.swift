internal import Foundation
internal import TakeupCurl

/// Asks origins over http, one question at a time, along their redirects.
final class HTTPOrigin {
    /// What of an answer without use is read, so that its connection can be kept.
    private static let drainedBytes: Int64 = 64 << 10
    /// Fields that tell nobody anything that is secret.
    private static let harmless: Set<String> = ["accept", "accept-language", "user-agent"]

    private let settings: FetchSettings
    private var transfer: Transfer?
    /// Who answered last.
    private(set) var peer: IPAddress?
    /// Whose answer it was, behind all redirects.
    private(set) var answered: WebAddress?
    /// From the last request to the first byte of its answer.
    private(set) var firstByteSeconds: Double?

    init(_ settings: FetchSettings) {
        self.settings = settings
    }

    /// Asks, and follows redirects.
    ///
    /// - Parameters:
    ///   - ask: What is wanted.
    ///   - now: For dates in the answer.
    ///   - cancellation: Ends it from any thread.
    ///   - reception: Takes the body.
    /// - Returns: What the last answer came to.
    /// - Throws: `FetchError.denied` for what may not be connected to; what the reception failed with.
    func perform(
        _ ask: OriginAsk, now: HTTPDate, cancellation: TransferCancellation,
        _ reception: any OriginReceiver
    ) throws(FetchError) -> OriginOutcome {
        var address = ask.address
        var fields = settings.originFields
        if let home = ask.home { fields = try permitted(fields, at: address, home: home) }
        var redirects = 0
        while true {
            var question = OriginQuestion(
                offset: ask.offset, version: ask.version, isConditional: ask.isConditional,
                redirects: redirects, address: address.redacted)
            question.redirects = redirects
            try vet(address)
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

    private var limits: TransferLimits {
        var limits = settings.limits
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
        let result: TransferResult?
        var failure: CurlError?
        do throws(CurlError) {
            result = try transfer.perform(request, cancellation: cancellation) { head in
                let judged = settings.judge.verdict(on: head, to: question, now: now)
                verdict = judged
                return reception.begin(judged, head)
            } onBody: { bytes in
                if reception.wantsBody { return reception.take(bytes) }
                drained += Int64(bytes.count)
                return drained <= Self.drainedBytes
            }
            (peer, firstByteSeconds) = (result?.peer, result?.firstByteSeconds)
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
