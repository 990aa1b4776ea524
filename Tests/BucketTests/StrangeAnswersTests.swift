import Foundation
import TakeupCache
import TakeupLanes
import TakeupModel
import TakeupS3
import TestSupport
import Testing

@testable import TakeupBucket

/// What proxies, rights and races do to a cache in a bucket: nothing that is there is given up for it.
@Suite(
    "Strange answers of a bucket", .enabled(if: S3Server.missing == nil, "there is no rclone"))
struct StrangeAnswersTests {
    private func through(
        _ proxy: FaultProxy, _ trial: borrowing BucketTrial
    ) throws -> MediaCache {
        let (store, manifest) = try BucketTrial.store(
            trial.folder, port: proxy.port, machine: "behind")
        return MediaCache(
            objects: store, manifest: manifest, limits: CacheLimits(minFreeBytes: 0))
    }

    private func isOf(_ method: String, _ request: FaultProxy.Request) -> Bool {
        request.method == method && request.target.contains("/objects/")
    }

    @Test(
        "a page in an object's place is an outage: its row stays",
        arguments: [
            ("HEAD", FaultProxy.Fault.answer(200, body: "<html>ok</html>")),
            ("HEAD", .answer(404, body: "<html>nothing</html>")),
            ("GET", .answer(200, body: "<html>a page as long as nothing else</html>")),
        ])
    func page(method: String, fault: FaultProxy.Fault) throws {
        let trial = try BucketTrial()
        try BucketTrial.add("one", as: "a", to: trial.cache)
        let proxy = try FaultProxy(to: trial.server.port) { isOf(method, $0) ? fault : nil }
        let behind = try through(proxy, trial)
        let error = #expect(throws: CacheError.self) { try behind.lookup("a") }
        guard case .objects(let failure)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.exitCode == .unavailable)
        #expect(try behind.manifest.entries().count == 1)
        #expect(try trial.machine("two").lookup("a") != nil)
    }

    @Test("who may not delete loses no row")
    func noDeletion() throws {
        let trial = try BucketTrial()
        try BucketTrial.add("one", as: "a", to: trial.cache)
        let proxy = try FaultProxy(to: trial.server.port) {
            isOf("DELETE", $0) ? .answer(403) : nil
        }
        let behind = try through(proxy, trial)
        #expect(throws: CacheError.self) { try behind.remove("a") }
        #expect(try behind.manifest.entries().count == 1)
        #expect(try trial.cache.remove("a") == .removed(bytes: 3))
        #expect(trial.server.keys("takeup/objects/").isEmpty)
    }

    @Test("who verifies reads the objects, not the copies")
    func rotten() throws {
        let trial = try BucketTrial()
        let entry = try BucketTrial.add("hello", as: "a", to: trial.cache)
        #expect(trial.copies().count == 1)
        #expect(try trial.cache.verify(repairing: false).isEmpty)
        try Data("jello".utf8).write(to: URL(fileURLWithPath: trial.file(entry)))
        #expect(try trial.cache.verify(repairing: false).map(\.kind) == [.wrongContent])
    }

    @Test("repairs go on where uploads cannot be listed", arguments: [501, 405, 403])
    func unlisted(status: Int) throws {
        let trial = try BucketTrial()
        try BucketTrial.add("one", as: "a", to: trial.cache)
        let proxy = try FaultProxy(to: trial.server.port) {
            $0.target.contains("uploads") ? .answer(status) : nil
        }
        #expect(try through(proxy, trial).reconcile().entries == 1)
    }

    @Test("a listing that never ends is an outage")
    func endless() throws {
        let trial = try BucketTrial()
        let page = """
            <?xml version="1.0"?><ListBucketResult><IsTruncated>true</IsTruncated>\
            <NextContinuationToken>again</NextContinuationToken></ListBucketResult>
            """
        let proxy = try FaultProxy(to: trial.server.port) {
            $0.target.contains("list-type") ? .answer(200, body: page) : nil
        }
        let behind = try through(proxy, trial)
        #expect(throws: CacheError.self) { try behind.objects.orphanSizes() }
        #expect(proxy.requests.count < 10)
    }

    @Test("machines that begin at once share the prefix", arguments: 0..<4)
    func together(round: Int) throws {
        let folder = try TemporaryDirectory()
        let server = try S3Server(folder: folder.file("buckets"))
        let proxy = try FaultProxy(to: server.port) { _ in
            usleep(20_000)
            return nil
        }
        _ = try Manifest(path: folder.file("takeup.db")) { 0 }
        let (port, faults) = (proxy.port, Locked<[String]>([]))
        let manifests = (0..<3).map { _ in folder.file("takeup.db") }
        let machines = (0..<3).map { folder.file("m\($0)") }
        let group = LaneGroup()
        for (manifest, machine) in zip(manifests, machines) {
            group.start("takeup.test") {
                do {
                    let rows = try Manifest(path: manifest) { Date().timeIntervalSince1970 }
                    let address = try #require(S3Address(BucketTrial.place))
                    _ = try S3Objects(
                        try BucketTrial.client(port: port), address, folder: machine,
                        manifest: rows)
                } catch {
                    faults.withLock { $0.append("\(error)") }
                }
            }
        }
        group.wait()
        #expect(faults.withLock { $0 } == [])
        _ = try BucketTrial.store(folder, port: server.port, machine: "later")
    }
}
