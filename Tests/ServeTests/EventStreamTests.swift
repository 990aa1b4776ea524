import Foundation
import TakeupJobs
import TakeupLanes
import TakeupModel
import TestSupport
import Testing

@testable import TakeupServe

@Suite("Events over HTTP")
struct EventStreamTests {
    @Test("a job is followed from its start to its end, and its stream is resumed")
    func job() async throws {
        let trial = try JobTrial()
        let source = try trial.clip()
        let body = #"{"id": "a", "source": "\#(source)", "output": "out.mp4", "preset": "low"}"#
        #expect(try trial.ask("POST", "/v1/jobs", body).status == 201)
        let reply = try await trial.working { try trial.ask("GET", "/v1/jobs/a/events") }
        #expect(reply.status == 200 && reply.fields["content-type"] == "text/event-stream")
        #expect(reply.text.hasPrefix("retry: "))
        let events = reply.events
        let types = events.compactMap { $0.object["type"] as? String }
        #expect(types.first == "started" && types.last == "finished")
        #expect(types.count { $0 == "finished" } == 1)
        let ids = events.compactMap { Int($0.id) }
        #expect(ids == ids.sorted() && Set(ids).count == ids.count && ids.count == events.count)
        let end = try #require(events.last)
        #expect(end.object["status"] as? String == "succeeded", "\(end.object)")
        let output = try #require(end.object["output"] as? String)
        #expect(output == "\(trial.allowed)/out.mp4")
        #expect(try MediaTools.decodeErrors(output).isEmpty)
        // Who has seen the start is told the end alone; who has seen the end need not come back.
        let rest = try trial.ask("GET", "/v1/jobs/a/events", nil, [("Last-Event-ID", "1")])
        #expect(rest.events.map(\.id) == [end.id])
        let over = try trial.ask("GET", "/v1/jobs/a/events", nil, [("Last-Event-ID", end.id)])
        #expect(over.status == 204)
        #expect(try trial.ask("GET", "/v1/jobs/b/events").status == 404)
        #expect(try trial.ask("GET", "/v1/jobs/a").word("state") == "succeeded")
    }

    @Test("all jobs are followed in one stream, with counts")
    func all() async throws {
        let trial = try JobTrial()
        let source = try trial.clip()
        let connection = try JobConnection(port: trial.port)
        connection.send("GET", "/v1/events", [], length: nil)
        var text = String(decoding: connection.receive(), as: UTF8.self)
        while !text.contains("event: counts") {
            text += String(decoding: connection.receive(), as: UTF8.self)
        }
        #expect(text.contains("HTTP/1.1 200") && text.contains("X-Accel-Buffering: no"))
        let body = #"{"id": "one", "source": "\#(source)", "preset": "passthrough"}"#
        #expect(try trial.ask("POST", "/v1/jobs", body).status == 201)
        try await trial.working {
            while !text.contains(#""type":"finished","job":"one""#) {
                let more = connection.receive()
                try #require(!more.isEmpty)
                text += String(decoding: more, as: UTF8.self)
            }
        }
        let started = try #require(text.range(of: #""type":"started","job":"one""#))
        let finished = try #require(text.range(of: #""type":"finished","job":"one""#))
        #expect(started.lowerBound < finished.lowerBound)
    }

    /// The events of a text, each with its id, or with none.
    private func events(_ text: String) -> [(id: String?, type: String, data: String)] {
        text.components(separatedBy: "\n\n").compactMap { block in
            let fields = block.split(separator: "\n").map { $0.split(separator: " ", maxSplits: 1) }
            func value(_ name: String) -> String? {
                fields.first { $0[0] == name }.map { String($0[1]) }
            }
            return value("event:").map { (value("id:"), $0, value("data:") ?? "") }
        }
    }

    @Test("one place of a job is told once under an id, and what changes there without one")
    func places() throws {
        let trial = try JobTrial()
        let lease = try #require(try run(["p"], trial).first)
        let clock = Locked(0.0)
        func tell(_ fraction: Double, _ phase: String, to feed: JobEventFeed) throws -> String {
            let beat = Heartbeat(lease, progress: JobProgress(phase: phase, fraction: fraction))
            _ = try trial.store.renew([beat], leaseSeconds: 60)
            clock.withLock { $0 += 1 }
            return feed.feed.next() ?? ""
        }
        func feed(after id: Int64?) -> JobEventFeed {
            JobEventFeed(
                lease.job, after: id.flatMap { JobEventID("\($0)") }, trial.tools.queue,
                trial.tools.desk.uploads.paths, now: { clock.withLock { $0 } })
        }
        let first = feed(after: nil)
        #expect(events(try tell(0.01, "encode", to: first)).map(\.id) == ["1", "102"])
        #expect(try tell(0.01, "encode", to: first) == "")
        let changed = events(try tell(0.01, "finish", to: first))
        #expect(changed.map(\.type) == ["progress"] && changed.first?.id == nil)
        #expect(events(try tell(0.02, "finish", to: first)).map(\.id) == ["202"])
        // Who comes back may have missed the change at the place that it knows.
        let again = events(try tell(0.02, "verify", to: feed(after: 202)))
        #expect(again.map(\.type) == ["progress"] && again.first?.id == nil)
        #expect(again.first?.data.contains("verify") == true)
    }

    /// A hub, whose clock a test moves, over a queue with jobs that run.
    private func hub(
        _ trial: JobTrial, _ clock: Locked<Double>
    ) -> EventHub {
        EventHub(
            trial.tools.queue, QueueCounts(trial.tools.queue, now: { clock.withLock { $0 } }),
            trial.tools.desk.uploads.paths, now: { clock.withLock { $0 } },
            wallClock: { Date().timeIntervalSince1970 })
    }

    /// Has jobs accepted and claimed.
    private func run(_ names: [String], _ trial: JobTrial) throws -> [Lease] {
        let source = try trial.clip()
        return try names.map { name in
            let body = #"{"id": "\#(name)", "source": "\#(source)", "preset": "low"}"#
            #expect(try trial.ask("POST", "/v1/jobs", body).status == 201)
            return try #require(
                try trial.store.claim(by: WorkerID(rawValue: "w"), leaseSeconds: 60)?.0)
        }
    }

    /// Reads until the events hold a text.
    private func read(
        _ feed: EventBody.Feed, until text: String
    ) throws -> [(id: String?, type: String, data: String)] {
        var all = ""
        let end = Date() + 20
        while !all.contains(text), Date() < end {
            all += feed.next() ?? ""
            usleep(20_000)
        }
        try #require(all.contains(text), "\(all)")
        return events(all)
    }

    @Test("ids of all events rise, and who resumes at any of them misses nothing")
    func resumes() throws {
        let trial = try JobTrial()
        let clock = Locked(1000.0)
        let hub = hub(trial, clock)
        var leases = try run(["a", "b", "c"], trial)
        _ = try read(hub.feed(after: nil), until: "\"job\":\"c\"")
        // The snapshot has one id, at its end: a client that reads half of it gets the whole snapshot again.
        let snapshot = try read(hub.feed(after: nil), until: "\"job\":\"c\"")
        #expect(snapshot.count { $0.type == "started" } == 3)
        let ids = snapshot.compactMap(\.id)
        #expect(snapshot.filter { $0.type == "started" }.dropLast().allSatisfy { $0.id == nil })
        let place = try #require(ids.last)
        // Nobody follows for a while, and a job ends in the meantime.
        let lease = leases.removeFirst()
        clock.withLock { $0 += 60 }
        let fault = Failure(code: "x", stage: "y", message: "z", hint: "", ending: .notMedia)
        _ = try trial.store.finish(lease, .failed(fault, retryable: false))
        let resumed = try read(hub.feed(after: place), until: "\"finished\"")
        let ended = resumed.filter { $0.type == "finished" }
        #expect(ended.count == 1 && ended.first?.data.contains("\"job\":\"a\"") == true)
        #expect(!resumed.contains { $0.type == "started" })
        let numbers = (snapshot + resumed).compactMap(\.id).map { id in
            Int(id.split(separator: "-")[1]) ?? -1
        }
        #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count)
        // From another process, or after a long gap, it begins with what runs.
        for id in ["other-3", "--1", "x"] {
            let fresh = try read(hub.feed(after: id), until: "\"job\":\"c\"")
            #expect(Set(fresh.filter { $0.type == "started" }.map(\.data)).count == 2, "\(id)")
        }
        var late = ""
        let end = Date() + 20
        while !late.contains("\"started\""), Date() < end {
            // The hub sees that nobody asks, and stops to look.
            clock.withLock { $0 += 3600 }
            usleep(600_000)
            let feed = hub.feed(after: place)
            for _ in 0..<30 {
                late += feed.next() ?? ""
                usleep(20_000)
            }
        }
        #expect(late.contains("\"type\":\"started\",\"job\":\"c\""), "\(late)")
    }

    @Test("each warning has an id of its own, before the end")
    func warnings() {
        let record = JobRecord.sample
        let warning: JSONValue = ["type": "warning"]
        let ids = (0..<3).map { JobEventID(warning, of: record, warning: $0) }
        #expect(ids == ids.sorted() && Set(ids.map(\.number)).count == 3)
        #expect(ids.allSatisfy { !$0.isOfEnd && !$0.isOfProgress })
        #expect(JobEventID(["type": "progress", "fraction": .number(1)], of: record) < ids[0])
    }

    @Test("ids rise through a job's life")
    func ids() throws {
        var record = JobRecord.sample
        record.finishedAt = 1_700_000_000.5
        let order: [JSONValue] = [
            ["type": "started"], ["type": "progress", "fraction": .number(0)],
            ["type": "progress", "fraction": .number(0.5)],
            ["type": "progress", "fraction": .number(1)], ["type": "warning"],
            ["type": "finished"],
        ]
        let ids = order.map { JobEventID($0, of: record) }
        #expect(ids == ids.sorted() && Set(ids.map(\.number)).count == ids.count)
        #expect(ids.last?.isOfEnd == true && ids.dropLast().allSatisfy { !$0.isOfEnd })
        for bad in ["", "-1", "x", "1.5"] { #expect(JobEventID(bad) == nil) }
    }
}

extension JobRecord {
    fileprivate static var sample: JobRecord {
        let request = ExportRequest(
            Composition(joining: ["/a.mov"]),
            preset: ExportPreset(name: "low", description: "", container: .mp4))
        guard let cursor = JobCursor("0-1") else { preconditionFailure("this is a cursor") }
        return JobRecord(
            JobSpec(id: JobID(rawValue: "a"), request), JobStateMachine(retries: 0), at: cursor)
    }
}
