import Foundation
import TestSupport
import Testing

@Suite("Test origin: changes, tokens, redirects, failures")
struct OriginChangeTests {
    private static let old = OriginContent.synthetic(length: 100_000, seed: 1)
    private static let longer = OriginContent.synthetic(length: 150_000, seed: 2)
    private static let shorter = OriginContent.synthetic(length: 40_000, seed: 2)

    private func origin(_ change: (inout OriginObject) -> Void) throws -> TestOrigin {
        var object = OriginObject(Self.old)
        change(&object)
        let origin = try TestOrigin()
        origin.serve("/a", object)
        return origin
    }

    @Test("turns into another object after so many requests, and then into a third")
    func changesAfterRequests() throws {
        let origin = try origin {
            $0.successions = [
                .init(after: .requests(2), to: OriginObject(Self.longer, tag: .strong("v2"))),
                .init(after: .requests(1), to: OriginObject(Self.shorter, tag: .strong("v3"))),
            ]
        }
        let tags = try (0..<4).map { _ in try origin.ask("/a", method: "HEAD").fields["ETag"] }
        #expect(tags == ["\"v1\"", "\"v1\"", "\"v2\"", "\"v3\""])
    }

    @Test("ends an answer under way with the old bytes when told so")
    func keepsOldBytes() throws {
        let origin = try origin {
            $0.successions = [.init(after: .bytes(60_000), to: OriginObject(Self.longer))]
        }
        #expect(try origin.ask("/a").body == Self.old.read(0..<100_000))
        #expect(try origin.ask("/a").body == Self.longer.read(0..<150_000))
    }

    @Test("goes on in the new bytes from exactly the byte of the change")
    func takesNewBytes() throws {
        let next = OriginSuccession(
            after: .bytes(60_000), to: OriginObject(Self.longer), inFlight: .takesNew)
        let origin = try origin { $0.successions = [next] }
        let mixed = try origin.ask("/a")
        #expect(try Array(mixed.body[..<60_000]) == Self.old.read(0..<60_000))
        #expect(try Array(mixed.body[60_000...]) == Self.longer.read(60_000..<100_000))
    }

    @Test("a body without a length grows with the object")
    func grows() throws {
        let next = OriginSuccession(
            after: .bytes(60_000), to: OriginObject(Self.longer), inFlight: .takesNew)
        let origin = try origin { ($0.successions, $0.faults.framing) = ([next], .chunked) }
        #expect(try origin.ask("/a").body.count == 150_000)
    }

    @Test("a body is cut when the object shrinks under it")
    func shrinks() throws {
        let origin = try origin { $0.faults.stalls = [OriginStall(at: 30_000)] }
        let client = try OriginClient(origin)
        client.send("GET", "/a")
        #expect(client.answer(bodyLimit: 30_000).body.count == 30_000)
        origin.replace("/a", with: OriginObject(Self.shorter), inFlight: .takesNew)
        origin.release("/a")
        #expect(origin.wait { $0.requests[0].ending == .cut })
        #expect(origin.bytesServed("/a") == 40_000)
    }

    @Test("an address ends after so many bytes, until the token is renewed")
    func expiresAfterBytes() throws {
        let origin = try origin { $0.faults.expiry = OriginExpiry(after: .bytes(50_000)) }
        let signed = "/a?token=1"
        #expect(origin.signedURL("/a") == origin.url(signed))
        #expect(try origin.ask("/a").status == 403)
        let half = try origin.ask(signed)
        #expect(half.body.count == 50_000 && half.end == .close)
        #expect(try origin.ask(signed, ["Range: bytes=50000-"]).status == 403)
        #expect(origin.rotateToken("/a") == "2")
        let rest = try origin.ask("/a?token=2", ["Range: bytes=50000-"])
        #expect(try rest.body == Self.old.read(50_000..<100_000))
        #expect(try origin.ask(signed).status == 403)
    }

    @Test("an address ends after so many requests, with any status")
    func expiresAfterRequests() throws {
        let origin = try origin {
            $0.faults.expiry = OriginExpiry(after: .requests(2), parameter: nil, status: 410)
        }
        let statuses = try (0..<3).map { _ in try origin.ask("/a").status }
        #expect(statuses == [200, 200, 410])
    }

    @Test(
        "redirects with every status, for some hops or for ever",
        arguments: [301, 302, 303, 307, 308])
    func redirects(status: Int) throws {
        let origin = try origin { $0.faults.redirect = OriginRedirect(.hops(2), status: status) }
        var path = "/a"
        for hop in 1...2 {
            let answer = try origin.ask(path)
            #expect(answer.status == status)
            #expect(answer.fields["Location"] == origin.url("/a?hop=\(hop)"))
            path = "/a?hop=\(hop)"
        }
        #expect(try origin.ask(path).status == 200)
        origin.change("/a") { $0.faults.redirect = OriginRedirect(.loop) }
        #expect(try origin.ask("/a").fields["Location"] == origin.url("/a"))
    }

    @Test("redirects to other hosts in turn, and to anything at all")
    func redirectTargets() throws {
        let origin = try origin {
            $0.faults.redirect = OriginRedirect(.path("/b"), alternatesHosts: true)
        }
        let hosts = try (0..<2).map { _ in try origin.ask("/a").fields["Location"] }
        #expect(hosts == [origin.url("/b"), origin.url("/b", host: "localhost")])
        for target in ["file:///etc/passwd", "ftp://127.0.0.1/a", "data:,x", "../a"] {
            origin.change("/a") { $0.faults.redirect = OriginRedirect(.verbatim(target)) }
            #expect(try origin.ask("/a").fields["Location"] == target)
        }
    }

    @Test("fails in a row of ways, then serves")
    func failsFirst() throws {
        let origin = try origin {
            $0.faults.answers = [
                .status(500, times: 2), .retry(429, afterSeconds: 7, times: 1),
                .retry(at: 1_700_000_000, times: 1), .rangeNotSatisfiable(total: 5, times: 1),
                .loginPage(times: 1),
            ]
        }
        let answers = try (0..<7).map { _ in try origin.ask("/a") }
        #expect(answers.map(\.status) == [500, 500, 429, 503, 416, 200, 200])
        #expect(answers[2].fields["Retry-After"] == "7")
        #expect(answers[3].fields["Retry-After"] == "Tue, 14 Nov 2023 22:13:20 GMT")
        #expect(answers[4].fields["Content-Range"] == "bytes */5")
        #expect(answers[5].fields["Content-Type"] == "text/html; charset=utf-8")
        #expect(try answers[6].body == Self.old.read(0..<100_000))
    }

    @Test("answers any status for ever", arguments: [403, 404, 410, 416, 500])
    func fixedStatus(status: Int) throws {
        let origin = try origin { $0.faults.answers = [.status(status)] }
        let client = try OriginClient(origin)
        #expect((0..<3).map { _ in client.ask("/a").status } == [status, status, status])
    }

    @Test("hangs up without an answer, and refuses HEAD alone")
    func hangsUp() throws {
        let origin = try origin {
            $0.faults.answers = [.hangUp(.close, times: 1), .hangUp(.reset, times: 1)]
        }
        #expect(try origin.ask("/a").end == .close)
        #expect(try origin.ask("/a").end == .reset)
        origin.change("/a") { ($0.faults.answers, $0.faults.statusOfHead) = ([], 403) }
        #expect(try origin.ask("/a", method: "HEAD").status == 403)
        #expect(try origin.ask("/a").status == 200)
    }
}
