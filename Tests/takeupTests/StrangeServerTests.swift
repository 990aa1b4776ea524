import Foundation
import TakeupJobs
import TakeupLanes
import TakeupModel
import TakeupService
import TestSupport
import Testing

@testable import TakeupClient
@testable import takeup

@Suite("Answers that are none of a server of this program")
struct StrangeServerTests {
    /// A server that answers always the same, and its client.
    private struct Bench {
        let server: HookReceiver
        let client: ServerClient

        init(_ answer: @escaping @Sendable (HookReceiver.Received) -> String?) throws {
            server = try HookReceiver(answer)
            let address = ServerAddress("http://127.0.0.1:\(server.port)", absolute: { $0 })
            client = ServerClient(try #require(address), token: nil)
        }
    }

    private static func answer(_ status: Int, _ body: String, _ fields: String = "") -> String {
        "HTTP/1.1 \(status) x\r\nContent-Length: \(body.utf8.count)\r\n\(fields)Connection: close\r\n\r\n\(body)"
    }

    @Test(
        "a success without what was asked for is none",
        arguments: [
            (201, "{}"), (200, #"{"status":"ok"}"#), (200, "<html>Sign in</html>"),
            (202, #"{"jobs":[]}"#), (200, ""),
        ])
    func successes(status: Int, body: String) throws {
        let bench = try Bench { _ in Self.answer(status, body) }
        let (queue, cache) = (QueueAccess(bench.client), CacheAccess(bench.client))
        let id = JobID(rawValue: "a")
        let acts: [(String, () throws -> Void)] = [
            ("cancel", { try queue.cancel(id) }), ("retry", { try queue.retry(id) }),
            ("remove", { _ = try cache.remove("a") }),
            ("pin", { _ = try cache.setPinned("a", true) }),
            ("unpin", { _ = try cache.setPinned("a", false) }),
        ]
        for (name, act) in acts {
            let failure = #expect(throws: Failure.self, "\(name)") { try act() }
            #expect(failure?.code == "serverUnknown" && failure?.exitCode == .unavailable)
        }
        let folder = try TemporaryDirectory()
        for names in [["a"], ["a", "b"]] {
            let sources = names.map { "https://e.example/\($0).mov" }
            let sent = try Subprocess.run(
                BuiltProduct.path(of: "takeup"),
                ["submit"] + sources + ["--server", "http://127.0.0.1:\(bench.server.port)"],
                environment: ["HOME": folder.file("home")])
            #expect(sent.exitCode == 69, "\(sent.outputText) \(sent.errorText)")
        }
    }

    @Test("pages that lead to themselves, and offsets that go nowhere, end")
    func circles() throws {
        let bench = try Bench { request in
            let words = request.line.split(separator: " ")
            switch words[0] {
            case "PATCH": return Self.answer(204, "", "Upload-Offset: 0\r\n")
            case "POST": return Self.answer(201, #"{"id":"u","source":"upload:u/a"}"#)
            case "HEAD": return Self.answer(200, "", "Upload-Offset: 0\r\n")
            default:
                return words[1].hasPrefix("/v1/uploads")
                    ? Self.answer(200, #"{"uploads":[]}"#)
                    : Self.answer(200, #"{"entries":[],"jobs":[],"next":"41d954fc40000000-7"}"#)
            }
        }
        let pages = #expect(throws: Failure.self) { try CacheAccess(bench.client).entries() }
        #expect(pages?.code == "serverUnknown")
        let queue = QueueAccess(bench.client)
        var listing = JobListing(limit: 10)
        listing.after = try queue.list(listing).next
        #expect(listing.after != nil)
        #expect(throws: Failure.self) { try queue.list(listing) }
        let folder = try TemporaryDirectory()
        try Data("0123456789".utf8).write(to: URL(filePath: folder.file("a.mov")))
        let before = bench.server.requests.count
        let sent = #expect(throws: Failure.self) {
            try bench.client.upload(folder.file("a.mov")) { false }
        }
        #expect(sent?.code == "serverUnknown" && bench.server.requests.count - before < 9)
    }

    @Test("a fresh upload that the server has with other bytes is found out")
    func damaged() throws {
        let wrong = String(repeating: "0", count: 64)
        let bench = try Bench { request in
            let words = request.line.split(separator: " ")
            switch words[0] {
            case "PATCH": return Self.answer(204, "", "Upload-Offset: 10\r\n")
            case "DELETE": return Self.answer(204, "")
            case "GET" where words[1] == "/v1/uploads": return Self.answer(200, #"{"uploads":[]}"#)
            default:
                return Self.answer(
                    200, #"{"id":"u","source":"upload:u/a","sha256":"\#(wrong)"}"#)
            }
        }
        let folder = try TemporaryDirectory()
        try Data("0123456789".utf8).write(to: URL(filePath: folder.file("a.mov")))
        let failure = #expect(throws: Failure.self) {
            try bench.client.upload(folder.file("a.mov")) { false }
        }
        #expect(failure?.code == "uploadDamaged" && failure?.exitCode == .temporary)
        #expect(bench.server.requests.last?.line.hasPrefix("DELETE ") == true)
    }
}
