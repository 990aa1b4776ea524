import TakeupDigest
import TakeupExport
import TakeupFetch
import TakeupModel
import Testing

@testable import TakeupWorker

@Suite("Failures of fetching")
struct FetchFailureTests {
    typealias Disposition = Failure.Disposition

    @Test(
        "each has its code, its exit code and what becomes of the job",
        arguments: [
            (FetchError.status(404, address: "x"), "inputMissing", 66, Disposition.giveUp),
            (.status(410, address: "x"), "inputMissing", 66, .giveUp),
            (.status(401, address: "x"), "inputNotPermitted", 77, .giveUp),
            (.status(403, address: "x"), "inputNotPermitted", 77, .giveUp),
            (.status(400, address: "x"), "sourceStatus", 1, .giveUp),
            (.status(408, address: "x"), "sourceStatus", 75, .retry),
            (.status(429, address: "x"), "sourceStatus", 75, .retry),
            (.status(503, address: "x"), "sourceStatus", 75, .retry),
            (.invalidResponse("no", address: "x"), "sourceInvalid", 75, .retry),
            (.changed(address: "x"), "sourceChanged", 75, .retry),
            (.notMedia("a page", address: "x"), "notMedia", 65, .giveUp),
            (.unsupported("live", address: "x"), "unsupported", 65, .giveUp),
            (.expired(address: "x"), "sourceExpired", 77, .giveUp),
            (.denied("private", address: "x"), "addressDenied", 77, .giveUp),
            (.tooLarge(limitBytes: 5, address: "x"), "sourceTooLarge", 65, .giveUp),
            (
                .checksumMismatch(
                    StatedDigest(field: "Digest", algorithm: .md5, digits: "0"), found: "1",
                    address: "x"), "checksumMismatch", 76, .retry
            ),
            (.unreachable("no", address: "x"), "sourceUnreachable", 75, .retry),
            (.storage(path: "/x", errno: 28), "diskFull", 74, .diskFull),
            (.storage(path: "/x", errno: 122), "diskFull", 74, .diskFull),
            (.storage(path: "/x", errno: 5), "sourceStoreFailed", 74, .retry),
            (.storage(path: "/x", errno: 24), "tooManyFiles", 75, .retry),
            (.storage(path: "/x", errno: 23), "tooManyFiles", 75, .retry),
            (.storage(path: "/x", errno: 116), "cacheGone", 69, .retry),
            (.cancelled, "cancelled", 130, .cancelled),
        ] as [(FetchError, String, Int32, Disposition)])
    func table(error: FetchError, code: String, exitCode: Int32, disposition: Disposition) {
        let report = Failure(error)
        #expect(report.code == code)
        #expect(report.exitCode.rawValue == exitCode)
        #expect(report.disposition == disposition)
        #expect(!report.hint.isEmpty)
        #expect(report.message.contains("x") || error == .cancelled)
    }

    @Test("a cancelled fetch ends as its signal says")
    func signals() {
        #expect(Failure(FetchError.cancelled, signal: 15).exitCode == .terminated)
        let late = FetchError.unreachable(
            "transfer failed on https://e.example/a: no answer in time (curl 28)",
            address: "https://e.example/a")
        let failure = Failure(late)
        #expect(
            failure.message == "cannot fetch https://e.example/a: no answer in time (curl 28)")
    }
}
