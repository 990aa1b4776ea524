import Foundation
import TakeupModel
import TestSupport
import Testing

@testable import TakeupClient
@testable import takeup

@Suite("Files that are sent to a server")
struct ServeUploadTests {
    private func clip(in server: ServeBench, _ name: String = "clip.mov") throws {
        try Clip.base(seconds: 1).bytes().write(to: URL(filePath: server.file(name)))
    }

    @Test("a file of this machine is sent, and exported where no path is allowed")
    func uploads() throws {
        let server = try ServeBench()
        try clip(in: server)
        let refused = try server.client(["submit", "clip.mov"])
        #expect(refused.exitCode == 77, "\(refused.errorText)")
        #expect(refused.errorText.contains("--allow-path"))
        let done = try server.client(["submit", "clip.mov", "--upload", "--id", "up", "--wait"])
        #expect(done.succeeded, "\(done.errorText)")
        #expect(try server.local(["submit", "clip.mov", "--upload"]).exitCode == 64)
        let shown = try server.client(["jobs", "show", "up"]).outputText
        let source = try #require(shown.firstMatch(of: /upload:\S+/)?.output)
        let listed = try server.client(["jobs", "list", "--source", String(source), "--json"])
        #expect(listed.succeeded && listed.outputText.contains(#""up""#), "\(listed.outputText)")
        #expect(server.stop().exitCode == 143)
    }

    @Test(
        "a file that changes while it is sent is no upload, and what is no file is not waited for")
    func changedUploads() throws {
        let server = try ServeBench(["--no-workers"])
        let path = server.file("long.mov")
        try Data(repeating: 1, count: 20_000_000).write(to: URL(filePath: path))
        let client = ServerClient(
            try #require(ServerAddress(server.url, absolute: { $0 })), token: nil)
        var polls = 0
        let failure = #expect(throws: Failure.self) {
            try client.upload(path) {
                polls += 1
                if polls == 2, let file = FileHandle(forWritingAtPath: path) {
                    file.write(Data([2]))
                }
                return false
            }
        }
        #expect(failure?.code == "sourceChanged" && failure?.exitCode == .temporary)
        #expect(try server.ask("GET", "/v1/uploads").body.contains("\"uploads\":[]"))
        let pipe = server.file("pipe.mov")
        #expect(mkfifo(pipe, 0o600) == 0)
        #expect(throws: Failure.self) { try client.upload(pipe) { false } }
    }

    @Test("the next command goes on with an upload of the same file, and with no other")
    func resumedUploads() throws {
        let server = try ServeBench(["--no-workers"])
        let path = server.file("long.mov")
        func write(_ byte: UInt8) throws {
            try Data(repeating: byte, count: 20_000_000).write(to: URL(filePath: path))
        }
        try write(1)
        let client = ServerClient(
            try #require(ServerAddress(server.url, absolute: { $0 })), token: nil)
        /// Sends the file, or only its first piece; returns where it went on.
        func send(whole: Bool) throws -> (from: UInt64?, source: String?) {
            var (resumed, polls): (UInt64?, Int) = (nil, 0)
            let source = try client.upload(path, resumed: { resumed = $0 }) {
                polls += 1
                return !whole && polls == 2
            }
            return (resumed, source)
        }
        func uploads() throws -> [[String: Any]] {
            let text = try server.ask("GET", "/v1/uploads").body
            let all = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
            return all?["uploads"] as? [[String: Any]] ?? []
        }
        func digest() throws -> String {
            String(try Subprocess.run("sha256sum", [path]).outputText.prefix(64))
        }
        #expect(try send(whole: false).source == nil)
        let done = try send(whole: true)
        #expect(done.from == 8 << 20 && done.source != nil)
        #expect(try uploads().map { $0["sha256"] as? String } == [try digest()])
        // A file with other bytes is another file, whatever its name and size.
        #expect(try send(whole: false).source == nil)
        try write(2)
        let other = try send(whole: true)
        #expect(other.from == nil && other.source != nil)
        #expect(try uploads().count == 3)
        // Bytes that somebody else has sent under the file's marks are found out.
        var begin = ServerClient.Question("POST", "/v1/uploads")
        begin.fields = [
            ("Tus-Resumable", "1.0.0"), ("Upload-Length", "20000000"),
            ("Upload-Metadata", try UploadedFile(path).metadata),
            ("Content-Type", "application/offset+octet-stream"),
        ]
        begin.body = [9, 9, 9]
        _ = try client.ask(begin)
        let last = try send(whole: true)
        #expect(last.from == 3)
        let sent = try uploads().first { $0["source"] as? String == last.source }
        #expect(sent?["sha256"] as? String == (try digest()))
        #expect(try uploads().count == 4)
        #expect(server.stop().exitCode == 143)
    }

    @Test("a file that cannot be sent says why")
    func unsendable() throws {
        let bench = try TestBench()
        let empty = try bench.write("", to: "empty.mov")
        for (path, words) in [
            (empty, "is empty"), ("\(bench.folder)/none.mov", "No such file or directory"),
            (bench.folder, "is no file"),
        ] {
            let failure = #expect(throws: Failure.self) { try UploadedFile(path) }
            #expect(failure?.exitCode == .inputMissing)
            #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "")")
        }
    }
}
