public import TakeupCurl
public import TakeupFields

/// Decides what an answer means for the stored bytes; docs/ORIGINS.md holds the table of decisions.
public struct ResponseJudge: Equatable, Sendable {
    public var tagPolicy: EntityVersion.TagPolicy
    /// Largest object, in bytes.
    public var limitBytes: Int64
    /// 4 TiB: eleven hours of UHD in ProRes 422 HQ at 110 MB/s; a longer body is taken for an
    /// endless one.
    public static let standardLimitBytes: Int64 = 4 << 40
    /// Highest number of redirects that one request may follow.
    public var maximumRedirects: Int
    /// Longest wait that an origin may ask for, in seconds.
    public var retryAfterCapSeconds: Int64

    public init(
        tagPolicy: EntityVersion.TagPolicy = .perNode,
        limitBytes: Int64 = ResponseJudge.standardLimitBytes,
        maximumRedirects: Int = 5, retryAfterCapSeconds: Int64 = 60
    ) {
        self.tagPolicy = tagPolicy
        self.limitBytes = limitBytes
        self.maximumRedirects = maximumRedirects
        self.retryAfterCapSeconds = retryAfterCapSeconds
    }

    /// Judges the head of an answer, before any of its body is read.
    ///
    /// - Parameters:
    ///   - head: The final answer, not an interim one.
    ///   - question: The request that the answer belongs to.
    ///   - now: The local clock, used if the origin does not send its own time.
    /// - Returns: Exactly one verdict; performs nothing.
    public func verdict(
        on head: ResponseHead, to question: OriginQuestion, now: HTTPDate
    ) -> OriginVerdict {
        do throws(FetchError) {
            let answer = Answer(head: head, question: question, now: now)
            switch head.status {
            // Some servers send a part with the status of a whole.
            case 200, 203: return try answer.isPart ? part(answer) : whole(answer)
            case 206: return try part(answer)
            case 304: return try notModified(answer)
            case 301, 302, 303, 307, 308: return try redirect(answer)
            case 416: return try notSatisfiable(answer)
            case 401, 403, 410:
                throw question.version == nil
                    ? answer.statusError : .expired(address: question.address)
            // Some servers refuse every request for a range so.
            case 400 where question.isRanged, 501 where question.isRanged: return .askWhole
            case 501, 505, 506, 510, 511: throw answer.statusError
            case 408, 429, 500...599: return later(answer)
            case 300...499: throw answer.statusError
            case 201...299: throw answer.invalid("status \(head.status) brings no object")
            default: throw answer.invalid("status \(head.status) is no final answer")
            }
        } catch {
            return .refuse(error)
        }
    }

    /// Judges a whole: the body is the object from byte 0, even if a part was requested.
    ///
    /// A body as long as the requested part, which is not the known object's length, may be that
    /// part; without a `Content-Range` only a request for the whole object tells.
    private func whole(_ answer: Answer) throws(FetchError) -> OriginVerdict {
        try answer.requirePlainBytes()
        let length = try answer.contentLength()
        try requireWithinLimit(length, answer)
        guard length != 0 else { throw answer.empty }
        if length != nil, length == answer.question.count,
            length != answer.question.version?.length
        {
            return .askWhole
        }
        let version = EntityVersion(answer.head, length: length, now: answer.now)
        guard let known = answer.question.version else {
            return .store(OriginBody(start: 0, count: length, version: version))
        }
        guard known.matches(version, tagPolicy) else {
            return .startOver(OriginBody(start: 0, count: length, version: version))
        }
        let learned = known.learning(from: version)
        return .store(OriginBody(start: 0, count: learned.length, version: learned))
    }

    /// Judges a part: the body is the byte range in `Content-Range`.
    ///
    /// What a wrong range leaves open, a request for the whole object tells.
    private func part(_ answer: Answer) throws(FetchError) -> OriginVerdict {
        if answer.mediaType == "multipart/byteranges" {
            return try inDoubt(answer, "several parts for one range")
        }
        try answer.requirePlainBytes()
        guard case .bytes(let range, let total) = try answer.contentRange() else {
            return try inDoubt(answer, "\(answer.head.status) without a valid Content-Range")
        }
        let count = Int64(range.count)
        guard try answer.contentLength() ?? count == count else {
            return try inDoubt(answer, "Content-Length is not that of Content-Range")
        }
        try requireWithinLimit(total ?? range.upperBound, answer)
        let version = EntityVersion(answer.head, length: total, now: answer.now)
        guard let known = answer.question.version else {
            return .store(
                OriginBody(start: range.lowerBound, count: count, version: version, isPart: true))
        }
        guard known.matches(version, tagPolicy), range.upperBound <= known.length ?? .max else {
            let isOther = known.contradicts(version, tagPolicy) || !answer.question.isRanged
            return isOther || range.upperBound > known.length ?? .max ? .changed : .askWhole
        }
        let learned = known.learning(from: version)
        return .store(
            OriginBody(start: range.lowerBound, count: count, version: learned, isPart: true))
    }

    private func inDoubt(_ answer: Answer, _ reason: String) throws(FetchError) -> OriginVerdict {
        guard answer.question.isRanged else { throw answer.invalid(reason) }
        return .askWhole
    }

    /// Judges a 304: it confirms only the version that the request named.
    private func notModified(_ answer: Answer) throws(FetchError) -> OriginVerdict {
        guard answer.question.isConditional, let known = answer.question.version,
            known.condition != nil
        else {
            throw answer.invalid("304 to a request without a condition")
        }
        let named = EntityVersion(answer.head, length: nil, now: answer.now)
        return known.contradicts(named, tagPolicy) ? .changed : .unchanged
    }

    private func redirect(_ answer: Answer) throws(FetchError) -> OriginVerdict {
        guard let location = try answer.single("location"), !location.isEmpty else {
            throw answer.invalid("redirect without a Location")
        }
        guard answer.question.redirects < maximumRedirects else {
            throw answer.invalid("more than \(maximumRedirects) redirects")
        }
        return .redirect(to: location)
    }

    /// Judges a 416: it states the object's length, which may differ from the known one.
    private func notSatisfiable(_ answer: Answer) throws(FetchError) -> OriginVerdict {
        let (offset, known) = (answer.question.offset, answer.question.version)
        var told: Int64?
        if case .unsatisfied(let total)? = try answer.contentRange() { told = total }
        let version = EntityVersion(answer.head, length: told, now: answer.now)
        if let known, known.contradicts(version, tagPolicy) { return .changed }
        guard let length = told ?? known?.length else {
            guard answer.question.isRanged else { throw answer.statusError }
            return .askWhole
        }
        guard length > 0 else { throw answer.empty }
        if offset >= length { return .atEnd(length: length) }
        if known?.length != nil, told == nil { return .changed }
        throw answer.invalid("416 for a range within \(length) bytes")
    }

    private func later(_ answer: Answer) -> OriginVerdict {
        let clock = answer.head["date"].flatMap { HTTPDate($0, now: answer.now) } ?? answer.now
        let wish = answer.head["retry-after"].flatMap {
            RetryAfter($0, now: clock, capSeconds: retryAfterCapSeconds)
        }
        return .retry(afterSeconds: wish?.seconds, cause: answer.statusError)
    }

    private func requireWithinLimit(_ bytes: Int64?, _ answer: Answer) throws(FetchError) {
        guard bytes ?? 0 <= limitBytes else {
            throw .tooLarge(limitBytes: limitBytes, address: answer.question.address)
        }
    }
}
