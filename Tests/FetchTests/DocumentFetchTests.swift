import Foundation
import TakeupCurl
import TakeupLanes
import TestSupport
import Testing

@testable import TakeupFetch

@Suite("Document fetch")
struct DocumentFetchTests {
    private func fetch(
        _ trial: borrowing LoaderTrial, _ path: String, _ fields: [TransferRequest.Field] = [],
        limitBytes: Int = 100_000, totalSeconds: Double = 60,
        cancellation: TransferCancellation = TransferCancellation()
    ) throws -> DocumentFetch.Document {
        try DocumentFetch(trial.library).document(
            at: WebAddress(trial.origin.url(path)), fields: fields, limitBytes: limitBytes,
            totalSeconds: totalSeconds, cancellation: cancellation)
    }

    private func object(_ change: (inout OriginFaults) -> Void = { _ in }) -> OriginObject {
        var object = OriginObject(LoaderTrial.content(50_000), type: "text/plain; charset=utf-8")
        change(&object.faults)
        return object
    }

    @Test("a document comes whole, without a range, however its end is told")
    func whole() throws {
        let trial = try LoaderTrial()
        let bytes = try LoaderTrial.bytes(LoaderTrial.content(50_000))
        for framing in [OriginFaults.Framing.length, .chunked, .untilClose] {
            trial.origin.serve("/d", object { $0.framing = framing })
            let found = try fetch(trial, "/d")
            #expect(found.bytes == bytes && found.status == 200)
            #expect(found.contentType == "text/plain; charset=utf-8")
        }
        #expect(trial.origin.requests("/d").allSatisfy { $0.range == nil })
    }

    @Test("fields go to the address's own origin, and not to where it sends them")
    func redirect() throws {
        let trial = try LoaderTrial()
        trial.origin.serve(
            "/d",
            object {
                $0.redirect = OriginRedirect(.verbatim(trial.origin.url("/e", host: "localhost")))
            })
        trial.origin.serve("/e", object())
        let found = try fetch(trial, "/d", [TransferRequest.Field("Authorization", "secret")])
        #expect(found.address.text == trial.origin.url("/e", host: "localhost"))
        #expect(trial.origin.requests("/d")[0].fields["Authorization"] == "secret")
        #expect(trial.origin.requests("/e")[0].fields["Authorization"] == nil)
    }

    @Test("what breaks off or is refused for now is asked for twice more")
    func retries() throws {
        let trial = try LoaderTrial()
        trial.origin.serve("/busy", object { $0.answers = [.status(503, times: 2)] })
        #expect(try fetch(trial, "/busy").bytes.count == 50_000)
        trial.origin.serve("/down", object { $0.answers = [.status(503)] })
        #expect(throws: FetchError.status(503, address: trial.origin.url("/down"))) {
            try fetch(trial, "/down")
        }
        #expect(trial.origin.requestCount("/down") == 3)
        trial.origin.serve("/cut", object { $0.answers = [.hangUp(.reset, times: 1)] })
        #expect(try fetch(trial, "/cut").bytes.count == 50_000)
        #expect(throws: FetchError.status(404, address: trial.origin.url("/none"))) {
            try fetch(trial, "/none")
        }
        #expect(trial.origin.requestCount("/none") == 1)
    }

    @Test("a longer document is too large, whether it tells its length or not")
    func limit() throws {
        let trial = try LoaderTrial()
        for framing in [OriginFaults.Framing.length, .chunked, .endlessChunked] {
            trial.origin.serve("/d", object { $0.framing = framing })
            #expect(
                throws: FetchError.tooLarge(limitBytes: 49_999, address: trial.origin.url("/d"))
            ) { try fetch(trial, "/d", limitBytes: 49_999) }
        }
        #expect(trial.origin.requestCount("/d") == 3)
    }

    @Test("an address that may not be connected to is denied, after a redirect, too")
    func denied() throws {
        let trial = try LoaderTrial()
        trial.origin.serve(
            "/d", object { $0.redirect = OriginRedirect(.verbatim("http://10.0.0.1/")) })
        #expect(throws: FetchError.self) { try fetch(trial, "/d") }
        let other = DocumentFetch(trial.library)
        #expect(throws: FetchError.self) {
            try other.document(at: WebAddress("http://10.0.0.1/"), limitBytes: 10)
        }
    }

    @Test("a silent origin is given up after the time for all, and at once when cancelled")
    func silence() throws {
        let trial = try LoaderTrial()
        trial.origin.serve("/d", object { $0.stalls = [OriginStall(at: 100, times: nil)] })
        #expect(throws: FetchError.self) { try fetch(trial, "/d", totalSeconds: 0.2) }
        let cancellation = TransferCancellation()
        let group = LaneGroup()
        let requests = trial.origin.requestCount("/d")
        let origin = trial.origin
        group.start("cancel") {
            _ = origin.wait { $0.requestCount("/d") > requests }
            cancellation.cancel()
        }
        #expect(throws: FetchError.cancelled) {
            try fetch(trial, "/d", cancellation: cancellation)
        }
        group.wait()
    }
}
