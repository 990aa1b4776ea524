import Foundation
import TakeupLanes
import TakeupModel
import TestSupport
import Testing

@testable import TakeupS3

/// What servers and networks do to uploads and requests.
@Suite("S3 faults", .enabled(if: S3Server.missing == nil, "there is no rclone"))
struct S3FaultTests {
    private static let errorDocument = "<?xml version=\"1.0\"?><Error><Code>CODE</Code></Error>"

    private static func document(_ code: String) -> String {
        errorDocument.replacing("CODE", with: code)
    }

    /// Uploads through faults.
    ///
    /// - Returns: What was thrown, and the file's hash.
    private func upload(
        _ trial: borrowing S3Trial, bytes: Int, _ proxy: FaultProxy,
        renew: @escaping @Sendable () -> S3Credentials? = { nil }
    ) throws -> (error: S3Error?, sha256: String) {
        let (source, hash) = try trial.file(bytes)
        defer { close(source) }
        let client = try trial.client(port: proxy.port, renew: renew)
        let upload = S3Upload(
            client, to: try S3Trial.object("a.mp4"), descriptor: source, bytes: Int64(bytes),
            sha256: hash)
        do throws(S3Error) {
            try upload.run()
            return (nil, hash)
        } catch {
            return (error, hash)
        }
    }

    /// Faults of one request each, which the next try survives.
    private static let passing: [(String, @Sendable (FaultProxy.Request) -> FaultProxy.Fault?)] = [
        (
            "a burst of 500s and SlowDown",
            { request in
                guard request.number % 3 != 2 else { return nil }
                let code = request.number % 2 == 0 ? "InternalError" : "SlowDown"
                return .answer(code == "SlowDown" ? 503 : 500, body: document(code))
            }
        ),
        (
            "a connection that is cut in the middle of a part",
            {
                $0.target.contains("partNumber=2") && $0.number < 5
                    ? .cutRequest(after: 9_000_000) : nil
            }
        ),
        (
            "the ETag of another part",
            {
                $0.target.contains("partNumber=2") && $0.number < 5
                    ? .field("ETag", "\"00000000000000000000000000000000\"") : nil
            }
        ),
        (
            "an error in the body of a 200",
            {
                // The first completion, which is the sixth request at the soonest.
                $0.method == "POST" && !$0.target.contains("uploads=") && $0.number < 6
                    ? .answer(200, body: document("InternalError")) : nil
            }
        ),
        (
            "a completion whose answer is lost",
            {
                $0.method == "POST" && !$0.target.contains("uploads=") && $0.number < 6
                    ? .cutAnswer(after: 0) : nil
            }
        ),
        (
            "somebody who ends it",
            {
                $0.target.contains("partNumber=2") && $0.number < 5
                    ? .answer(404, body: document("NoSuchUpload")) : nil
            }
        ),
    ]

    @Test("an upload in parts survives", arguments: 0..<6)
    func survives(place: Int) throws {
        let trial = try S3Trial()
        let (name, rule) = Self.passing[place]
        let fired = Locked(0)
        let proxy = try FaultProxy(to: trial.server.port) { request in
            let fault = rule(request)
            if fault != nil { fired.withLock { $0 += 1 } }
            return fault
        }
        let (error, hash) = try upload(trial, bytes: 40 << 20, proxy)
        #expect(error == nil, "\(name)")
        #expect(fired.withLock { $0 } > 0, "\(name)")
        #expect(try trial.sha256(of: trial.server.file("a.mp4")) == hash, "\(name)")
    }

    @Test("an upload that fails leaves neither an object nor parts")
    func leavesNothing() throws {
        let trial = try S3Trial()
        let proxy = try FaultProxy(to: trial.server.port) { request in
            request.target.contains("partNumber=3")
                ? .answer(403, body: Self.document("QuotaExceeded")) : nil
        }
        let (error, _) = try upload(trial, bytes: 40 << 20, proxy)
        #expect(error?.kind == .full)
        #expect(error.map { Failure($0).exitCode } == .inputOutput)
        #expect(trial.server.keys().isEmpty)
        #expect(try trial.client().unfinishedUploads(S3Trial.object("")).uploads.isEmpty)
    }

    @Test("Retry-After is kept to, and the tries are counted")
    func throttling() throws {
        let trial = try S3Trial()
        let proxy = try FaultProxy(to: trial.server.port) { _ in
            .answer(503, fields: ["Retry-After": "7"], body: Self.document("SlowDown"))
        }
        let (error, _) = try upload(trial, bytes: 10, proxy)
        #expect(error?.kind == .throttled)
        #expect(error.map { Failure($0).exitCode } == .temporary)
        #expect(proxy.requests.count == 6)
        #expect(trial.pauses.withLock { $0 }.allSatisfy { (7...7.001).contains($0) || $0 > 7 })
        #expect(trial.pauses.withLock { $0.count } == 5)
    }

    @Test("an expired token is replaced once by a new one, else told")
    func expiry() throws {
        let trial = try S3Trial()
        let proxy = try FaultProxy(to: trial.server.port) { request in
            request.fields["x-amz-security-token"] == nil && request.number > 0
                ? nil : .answer(400, body: Self.document("ExpiredToken"))
        }
        let fresh = S3Credentials(accessKey: S3Server.accessKey, secretKey: S3Server.secretKey)
        let old = S3Credentials(accessKey: "old", secretKey: "old", sessionToken: "token")
        let asked = Locked(0)
        let client = try trial.client(
            port: proxy.port, ["AWS_SESSION_TOKEN": old.sessionToken ?? ""],
            renew: {
                asked.withLock { $0 += 1 }
                return fresh
            })
        try client.write(try S3Trial.object("a"), [1])
        #expect(asked.withLock { $0 } == 1)
        #expect(trial.server.keys() == ["a"])
        let stuck = try trial.client(port: proxy.port, ["AWS_SESSION_TOKEN": "token"])
        let error = #expect(throws: S3Error.self) {
            try stuck.write(try S3Trial.object("b"), [1])
        }
        #expect(error.map { Failure($0).code } == "credentialsExpired")
        #expect(error.map { "\($0)".contains("token\"") } == false)
        // HEAD has no body: a listing says why.
        let looked = #expect(throws: S3Error.self) { try stuck.facts(S3Trial.object("b")) }
        #expect(looked?.kind == .credentialsExpired)
    }

    @Test(
        "a proxy that answers in the store's place is an outage",
        arguments: [400, 404, 405, 409, 412, 413])
    func proxyAnswers(status: Int) throws {
        let trial = try S3Trial()
        let proxy = try FaultProxy(to: trial.server.port) { request in
            request.method == "PUT" ? .answer(status, body: "<html>default backend</html>") : nil
        }
        let error = try #require(try upload(trial, bytes: 100, proxy).error)
        #expect(Failure(error).exitCode == .unavailable)
    }
}
