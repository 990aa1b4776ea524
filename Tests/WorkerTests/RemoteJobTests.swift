import Foundation
import TakeupCache
import TakeupCurl
import TakeupExport
import TakeupFetch
import TakeupJobs
import TakeupSQL
import TakeupSQLite
import TestSupport
import Testing

@testable import TakeupWorker

@Suite("Jobs with addresses")
struct RemoteJobTests {
    @Test(
        "the export of an address is that of its file, frame for frame",
        arguments: ["plain", "ignored", "throttled", "weak", "chunked"])
    func equal(kind: String) async throws {
        let trial = try RemoteTrial()
        let bytes = try RemoteTrial.clip()
        let address = trial.serve("/a.mp4", bytes) { object in
            switch kind {
            case "ignored": object.faults.ranges = .ignored
            case "throttled": object.faults.bytesPerSecond = bytes.count
            case "weak": (object.tag, object.lastModified) = (.weak("w"), nil)
            case "chunked":
                (object.faults.framing, object.faults.ranges) = (.chunked, .ignored)
            default: break
            }
        }
        let job = try await trial.run("a", address)
        #expect(job.state == .succeeded)
        #expect(try trial.frames(of: job) == (try await trial.frames(ofLocal: bytes)))
    }

    @Test("a result tells of a source whose end nothing but a closed connection told")
    func openEnded() async throws {
        let trial = try RemoteTrial()
        let address = trial.serve("/a.mp4", try RemoteTrial.clip(seconds: 1)) {
            ($0.faults.ranges, $0.faults.framing) = (.ignored, .untilClose)
        }
        for name in ["a", "b"] {
            let job = try await trial.run(name, address)
            #expect(job.result?.warnings.map(\.code) == ["lengthNotStated"], "\(job.state)")
        }
    }

    @Test("a file and an address are joined, and a source that is there twice is fetched once")
    func joined() async throws {
        let trial = try RemoteTrial()
        let bytes = try RemoteTrial.clip(seconds: 1)
        let address = trial.serve("/a.mp4", bytes)
        let file = try Clip.base(seconds: 1).path
        let jobs = try await trial.run(["a": [address, file, address], "b": [file, file, file]])
        let (a, b) = (try #require(jobs["a"]), try #require(jobs["b"]))
        #expect(try trial.frames(of: a) == (try trial.frames(of: b)))
        #expect(trial.origin.bytesServed("/a.mp4") <= Int64(bytes.count) + 1)
    }

    @Test("what was made before is answered from the cache without a byte from the origin")
    func cached() async throws {
        let trial = try RemoteTrial()
        let bytes = try RemoteTrial.clip(seconds: 1)
        let address = trial.serve("/a.mp4", bytes)
        #expect(try await trial.run("a", address).state == .succeeded)
        let served = trial.origin.bytesServed("/a.mp4")
        #expect(try await trial.run("b", address).state == .cached)
        #expect(trial.origin.bytesServed("/a.mp4") == served)
    }

    @Test(
        "what cannot be fetched fails as what it is, and is not tried again in vain",
        arguments: [
            ("missing", 66, "inputMissing"), ("forbidden", 77, "inputNotPermitted"),
            ("login", 65, "notMedia"), ("denied", 77, "addressDenied"),
        ])
    func failures(kind: String, exitCode: Int32, code: String) async throws {
        let trial = try RemoteTrial {
            if kind == "denied" { $0.addressPolicy.permitted = [] }
        }
        let address = trial.serve("/a.mp4", try RemoteTrial.clip(seconds: 1)) { object in
            switch kind {
            case "missing": object.faults.answers = [.status(404)]
            case "forbidden": object.faults.answers = [.status(403)]
            case "login": object.faults.answers = [.loginPage()]
            default: break
            }
        }
        let job = try await trial.run("a", address)
        #expect(job.state == .failed)
        let fault = try #require(job.fault)
        #expect((fault.exitCode.rawValue, fault.code) == (exitCode, code))
        #expect(fault.stage == "fetch")
        #expect(!"\(fault)".contains("secret"))
        #expect(job.machine.failures == 1)
        #expect(kind != "denied" || trial.origin.totals.connections == 0)
    }

    @Test("bytes without validators that were no media are fetched again by the next job")
    func distrusted() async throws {
        let trial = try RemoteTrial()
        let bytes = try RemoteTrial.clip(seconds: 1)
        let bare: (inout OriginObject) -> Void = { ($0.tag, $0.lastModified) = (.absent, nil) }
        let broken = [UInt8](bytes[..<1000]) + [UInt8](repeating: 0, count: bytes.count - 1000)
        let address = trial.serve("/a.mp4", broken, bare)
        #expect(try await trial.run("a", address).fault?.exitCode == .notMedia)
        _ = trial.serve("/a.mp4", bytes, bare)
        #expect(try await trial.run("b", address).state == .succeeded)
    }

    @Test("without a library, an address is refused")
    func refused() async throws {
        let trial = try RemoteTrial()
        trial.trial.configuration.sources = nil
        let job = try await trial.run("a", trial.serve("/a.mp4", []))
        #expect(job.fault?.code == "addressesNotFetched")
        #expect(trial.origin.totals.connections == 0)
    }

    @Test("a source that changes midway is begun anew and ends right")
    func changed() async throws {
        let trial = try RemoteTrial()
        let old = try RemoteTrial.clip(seconds: 3)
        let new = try RemoteTrial.clip(seconds: 2)
        let address = trial.serve("/a.mp4", old) { object in
            object.faults.bytesPerSecond = old.count
            var next = OriginObject(.bytes(new))
            next.tag = .strong("v2")
            object.successions = [
                OriginSuccession(
                    after: .bytes(Int64(old.count / 2)), to: next, inFlight: .takesNew)
            ]
        }
        let job = try await trial.run("a", address)
        #expect(job.state == .succeeded)
        #expect(try trial.frames(of: job) == (try await trial.frames(ofLocal: new)))
    }

    @Test("an origin that gives every answer another tag is read whole by the second attempt")
    func tagOfEachAnswer() async throws {
        let trial = try RemoteTrial()
        let bytes = try Array(Clip.base(seconds: 1).padded(by: 3_000_000))
        let address = trial.serve("/a.mp4", bytes) {
            ($0.lastModified, $0.tag) = (nil, .perRequest)
        }
        let job = try await trial.run("a", address)
        #expect(job.state == .succeeded, "\(String(describing: job.fault))")
    }

    @Test("a job that waits for the network is cancelled at once")
    func cancelled() async throws {
        // However late this test goes on, the job still waits.
        let trial = try RemoteTrial { $0.limits.lowSpeedBytesPerSecond = 0 }
        let bytes = try RemoteTrial.clip(seconds: 2)
        let address = trial.serve("/a.mp4", bytes) { object in
            object.faults.ranges = .ignored
            object.faults.stalls = [OriginStall(at: Int64(bytes.count / 2), times: nil)]
        }
        let worker = try trial.trial.worker()
        _ = try trial.trial.store.submit([try trial.trial.spec("a", [address])])
        worker.start()
        let id = JobID(rawValue: "a")
        #expect(trial.origin.wait { $0.bytesServed("/a.mp4") >= Int64(bytes.count / 2) })
        try await Task.sleep(for: .milliseconds(300))
        let began = ContinuousClock.now
        _ = try trial.trial.store.cancel(id)
        while try trial.trial.store.job(id)?.state != .cancelled {
            try #require(ContinuousClock.now - began < .seconds(900))
            try await Task.sleep(for: .milliseconds(20))
        }
        worker.drain()
        await worker.finished()
    }

    /// The columns of a database in which some row has a secret.
    private func secretColumns(_ path: String) throws -> [String] {
        let database = try SQLiteConnection(path: path, durability: .full)
        let columns = try database.query(
            "SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c"
                + " WHERE m.type = 'table'"
        ) { ($0.text(0), $0.text(1)) }
        return try columns.filter { table, column in
            let counts = try database.query(
                "SELECT count(*) FROM \(table) WHERE CAST(\"\(column)\" AS TEXT) LIKE '%secret%'"
            ) { $0.integer(0) }
            return counts != [0]
        }.map { "\($0).\($1)" }
    }

    @Test("an address keeps its secret in the job alone")
    func secrets() async throws {
        let trial = try RemoteTrial()
        let address = trial.serve("/a.mp4", try RemoteTrial.clip(seconds: 1))
        let job = try await trial.run("a", address)
        #expect(job.spec.request.sources == [address])
        let entry = try #require(try trial.trial.cache.lookup("a")?.entry)
        #expect(entry.source == trial.origin.url("/a.mp4?…"))
        #expect(try secretColumns(trial.trial.store.name) == ["job.spec"])
        let folder = trial.trial.directory.file(".")
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder)
        where !name.contains("takeup.sqlite") {
            let content = FileManager.default.contents(atPath: "\(folder)/\(name)") ?? Data()
            #expect(content.range(of: Data("secret".utf8)) == nil, "\(name)")
        }
    }
}
