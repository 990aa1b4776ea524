import TakeupCurl
import TakeupFields
import Testing

import TakeupFetch

@Suite("Response judge")
struct ResponseJudgeTests {
    static let judge = ResponseJudge(limitBytes: 1_000_000)
    static let rows =
        JudgeRow.whole + JudgeRow.part + JudgeRow.partAsWhole + JudgeRow.status

    @Test("has one verdict on each behaviour of an origin", arguments: rows)
    func table(row: JudgeRow) {
        let verdict = Self.judge.verdict(on: row.head, to: row.question, now: JudgeRow.now)
        #expect(JudgeRow.summary(of: verdict) == row.verdict)
    }

    @Test("has a table that is large enough and names nothing twice")
    func tableItself() {
        #expect(Self.rows.count >= 60)
        #expect(Set(Self.rows.map(\.behaviour)).count == Self.rows.count)
    }

    @Test("gives every status from 0 to 1000 a verdict, and stores only of 200, 203 and 206")
    func everyStatus() {
        let fields = ["content-range: bytes 0-9/10", "content-length: 10"]
        for status in 0...1000 {
            let head = JudgeRow.head(status, fields)
            let question = OriginQuestion(offset: 0, address: JudgeRow.address)
            let verdict = Self.judge.verdict(on: head, to: question, now: JudgeRow.now)
            let stores = JudgeRow.summary(of: verdict).hasPrefix("store")
            #expect(stores == [200, 203, 206].contains(status), "\(status)")
        }
    }

    @Test("follows five redirects and no sixth")
    func redirects() {
        let head = JudgeRow.head(302, ["location: /next"])
        var question = OriginQuestion(offset: 0, redirects: 4, address: JudgeRow.address)
        #expect(verdict(head, question) == .redirect(to: "/next"))
        question.redirects = 5
        let denied = FetchError.invalidResponse("more than 5 redirects", address: JudgeRow.address)
        #expect(verdict(head, question) == .refuse(denied))
    }

    @Test("takes 304 for the version that was named, and for no other")
    func notModified() {
        let question = OriginQuestion(
            offset: 0, version: JudgeRow.tagged, isConditional: true, address: JudgeRow.address)
        #expect(verdict(JudgeRow.head(304, []), question) == .unchanged)
        #expect(verdict(JudgeRow.head(304, [#"etag: "a""#]), question) == .unchanged)
        #expect(verdict(JudgeRow.head(304, [#"etag: "b""#]), question) == .changed)
    }

    @Test("forgives no other tag when told to be strict")
    func strict() {
        let head = JudgeRow.head(
            206, ["content-range: bytes 500-999/1000", #"etag: "b""#, JudgeRow.modified])
        let question = OriginQuestion(
            offset: 500, version: JudgeRow.full, address: JudgeRow.address)
        let strict = ResponseJudge(tagPolicy: .strict)
        #expect(strict.verdict(on: head, to: question, now: JudgeRow.now) == .changed)
    }

    @Test("keeps the known validators of a part, and learns what is new")
    func learns() {
        let head = JudgeRow.head(206, ["content-range: bytes 500-999/1000", JudgeRow.modified])
        let known = JudgeRow.version(
            [#"etag: "a""#, JudgeRow.date, JudgeRow.modified], length: nil)
        let question = OriginQuestion(offset: 500, version: known, address: JudgeRow.address)
        guard case .store(let body) = verdict(head, question) else {
            Issue.record("not stored")
            return
        }
        #expect(body.version.tag == EntityTag(#""a""#))
        #expect(body.version.length == 1000)
    }

    @Test("names the cause that remains when tries end")
    func cause() {
        let question = OriginQuestion(offset: 0, address: JudgeRow.address)
        let status = FetchError.status(503, address: JudgeRow.address)
        #expect(
            verdict(JudgeRow.head(503, []), question)
                == .retry(afterSeconds: nil, cause: status))
    }

    private func verdict(_ head: ResponseHead, _ question: OriginQuestion) -> OriginVerdict {
        Self.judge.verdict(on: head, to: question, now: JudgeRow.now)
    }
}
