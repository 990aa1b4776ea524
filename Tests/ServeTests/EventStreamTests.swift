import Foundation
import TakeupJobs
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
