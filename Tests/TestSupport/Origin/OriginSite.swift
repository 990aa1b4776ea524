/// One path of a `TestOrigin`: its object and how far its faults have come.
struct OriginSite {
    private(set) var object: OriginObject
    private(set) var releases = 0
    private(set) var token = 1
    private var version = 0
    private var inFlight = OriginSuccession.InFlight.finishesOld
    private var (bytesOfVersion, requestsOfVersion) = (Int64(0), 0)
    private var (bytesOfToken, requestsOfToken) = (Int64(0), 0)
    private var (answerIndex, answersGiven) = (0, 0)
    private var cutsMade: [Int: Int] = [:]
    private var stallsMade: [Int: Int] = [:]

    private var faults: OriginFaults { object.faults }

    init(_ object: OriginObject) {
        self.object = object
    }

    /// Puts another object in place; what was counted for the old one begins anew.
    mutating func replace(with object: OriginObject, inFlight: OriginSuccession.InFlight) {
        self.inFlight = inFlight
        version += 1
        (bytesOfVersion, requestsOfVersion) = (0, 0)
        change(to: object)
    }

    /// Changes what is said of the same object; its faults begin anew.
    mutating func change(to object: OriginObject) {
        self.object = object
        (answerIndex, answersGiven) = (0, 0)
        (cutsMade, stallsMade) = ([:], [:])
    }

    /// Takes the stalls away, also for bodies that have not come to them yet.
    mutating func release() {
        releases += 1
        object.faults.stalls = []
    }

    mutating func rotateToken() {
        token += 1
        (bytesOfToken, requestsOfToken) = (0, 0)
    }

    // MARK: - Requests

    /// Decides what a request gets, and counts it.
    ///
    /// - Throws: `ToolFailure` when the content cannot be read.
    mutating func begin(
        _ request: OriginRequest, number: Int, port: UInt16
    ) throws(ToolFailure) -> OriginAnswer {
        succeed()
        requestsOfVersion += 1
        if request.method == "HEAD", let status = faults.statusOfHead { return .fixed(status) }
        if let answer = nextFixedAnswer() { return answer }
        if let expiry = faults.expiry, isRefused(request, by: expiry) {
            return .fixed(expiry.status, body: Array("expired\n".utf8))
        }
        requestsOfToken += 1
        if let redirect = faults.redirect,
            let location = redirect.location(for: request, number: number, port: port)
        {
            return .fixed(redirect.status, [OriginField("Location", location)])
        }
        return try OriginResponder(request: request, object: object, number: number).answer()
    }

    /// Where an answer begins.
    func progress(_ answer: OriginAnswer, path: String, number: Int) -> OriginProgress {
        var progress = OriginProgress(
            path: path, number: number, content: answer.content ?? object.content, version: version)
        progress.grows = answer.framing == .chunked || answer.framing == .untilClose
        progress.isEndless = answer.framing == .endless
        return progress
    }

    private mutating func nextFixedAnswer() -> OriginAnswer? {
        while answerIndex < faults.answers.count {
            let answer = faults.answers[answerIndex]
            if let times = answer.times, answersGiven >= times {
                (answerIndex, answersGiven) = (answerIndex + 1, 0)
                continue
            }
            answersGiven += 1
            switch answer.act {
            case .answer(let status, let fields, let body):
                return .fixed(status, fields, body: body)
            case .hangUp(let ending):
                var none = OriginAnswer(status: 0)
                none.hangUp = ending
                return none
            }
        }
        return nil
    }

    private func isRefused(_ request: OriginRequest, by expiry: OriginExpiry) -> Bool {
        if let name = expiry.parameter, request.parameter(name) != "\(token)" { return true }
        return expiry.after?.isReached(bytes: bytesOfToken, requests: requestsOfToken) ?? false
    }

    private mutating func succeed() {
        while let next = object.successions.first,
            next.after.isReached(bytes: bytesOfVersion, requests: requestsOfVersion)
        {
            // What the new object turns into comes after what the old one still had to.
            var object = next.object
            object.successions = Array(self.object.successions.dropFirst()) + object.successions
            replace(with: object, inFlight: next.inFlight)
        }
    }

    // MARK: - Bodies

    /// Counts bytes of the content.
    mutating func sent(_ count: Int) {
        bytesOfVersion += Int64(count)
        bytesOfToken += Int64(count)
    }

    /// Decides what comes next in a piece of the content.
    ///
    /// - Throws: `ToolFailure` when the content cannot be asked for its length.
    mutating func step(
        _ progress: inout OriginProgress, limit: Int
    ) throws(ToolFailure) -> OriginStep {
        succeed()
        try follow(&progress)
        if progress.isEndless, progress.position >= progress.end { progress.position = 0 }
        guard progress.position < progress.end else { return .done }
        if let ending = dueCut(progress) { return .cut(ending) }
        if let seconds = dueStall(progress) { return .stall(seconds: seconds, releases: releases) }
        let count = min(Int64(limit), progress.end - progress.position, bytesToNextEvent(progress))
        return .send(progress.content, progress.position..<progress.position + count)
    }

    private func follow(_ progress: inout OriginProgress) throws(ToolFailure) {
        guard progress.version != version, inFlight == .takesNew else { return }
        progress.version = version
        progress.content = object.content
        if progress.grows { progress.end = try object.content.length() }
    }

    private mutating func dueCut(_ progress: OriginProgress) -> OriginCut.Ending? {
        if let left = bytesToExpiry(progress), left == 0 { return .close }
        for (index, cut) in faults.cuts.enumerated() where left(to: cut, progress) == 0 {
            if let times = cut.times, cutsMade[index, default: 0] >= times { continue }
            cutsMade[index, default: 0] += 1
            return cut.ending
        }
        return nil
    }

    private mutating func dueStall(_ progress: OriginProgress) -> Double? {
        for (index, stall) in faults.stalls.enumerated() where stall.offset == progress.position {
            let made = stallsMade[index, default: 0]
            if let times = stall.times, made >= times { continue }
            // Not again behind the same stall: the byte has to go first.
            guard progress.stalledAt != stall.offset else { continue }
            stallsMade[index] = made + 1
            return stall.seconds
        }
        return nil
    }

    private func bytesToNextEvent(_ progress: OriginProgress) -> Int64 {
        let cuts = faults.cuts.compactMap { left(to: $0, progress) }
        let stalls = faults.stalls.map { $0.offset - progress.position }
        let change = object.successions.first?.after.bytesLeft(after: bytesOfVersion)
        let events = cuts + stalls + [change, bytesToExpiry(progress)].compactMap { $0 }
        return events.filter { $0 > 0 }.min() ?? .max
    }

    private func left(to cut: OriginCut, _ progress: OriginProgress) -> Int64? {
        cut.bytesLeft(start: progress.start, position: progress.position, sent: progress.sent)
    }

    private func bytesToExpiry(_ progress: OriginProgress) -> Int64? {
        guard let expiry = faults.expiry, expiry.cutsInFlight else { return nil }
        return expiry.after?.bytesLeft(after: bytesOfToken)
    }
}
