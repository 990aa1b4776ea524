import Foundation
import TakeupDigest
import TakeupLanes
import TestSupport
import Testing

@testable import TakeupFetch

@Suite("Loader and stated digests")
struct StatedDigestLoadTests {
    /// Takes several answers.
    private let content = LoaderTrial.content(2_500_000)

    /// What a field says of an algorithm; of bytes that are not these when it shall be wrong.
    private func value(_ algorithm: DigestAlgorithm, isRight: Bool = true) throws -> String {
        let digest = try #require(RunningDigest(algorithm))
        digest.update(try LoaderTrial.bytes(content))
        if !isRight { digest.update([0]) }
        let digits = try #require(
            try digest.finish(open("/dev/null", O_RDONLY | O_CLOEXEC)))
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap { place in
            UInt8(digits.dropFirst(place).prefix(2), radix: 16)
        }
        return Data(bytes).base64EncodedString()
    }

    private func serve(_ trial: borrowing LoaderTrial, _ fields: [OriginField]) {
        var object = OriginObject(content)
        object.fields = fields
        trial.origin.serve("/a.mp4", object)
    }

    private func fields(isRight: Bool = true) throws -> [OriginField] {
        let sums = try DigestAlgorithm.allCases.map { try value($0, isRight: isRight) }
        return [
            OriginField("Repr-Digest", "sha-256=:\(sums[0]):, sha-512=:\(sums[1]):"),
            OriginField("x-goog-hash", "md5=\(sums[2])"),
            OriginField("x-goog-hash", "crc32c=\(sums[3])"),
        ]
    }

    @Test(
        "every one is confirmed, whether summed up as it came or at the end",
        arguments: [true, false])
    func confirms(asItComes: Bool) throws {
        let trial = try LoaderTrial()
        try serve(trial, fields())
        let loader = try trial.loader()
        if asItComes { loader.hashAsItComes() }
        try loader.waitUntilComplete()
        let hashed = try #require(try loader.hashed())
        #expect(hashed.confirmed.map(\.algorithm) == [.sha256, .sha512, .md5, .crc32c])
        #expect(hashed.refuted.isEmpty)
        #expect(try loader.sha256() == hashed.sha256)
        #expect(try loader.information().statedDigests == hashed.confirmed)
    }

    @Test(
        "one that the bytes do not have is told with its field, and the bytes are dropped",
        arguments: DigestAlgorithm.allCases)
    func refuses(algorithm: DigestAlgorithm) throws {
        let trial = try LoaderTrial()
        let wrong = try value(algorithm, isRight: false)
        let name = algorithm == .crc32c ? "x-goog-hash" : "Digest"
        serve(trial, [OriginField(name, "\(algorithm.rawValue)=\(wrong)")])
        let loader = try trial.loader()
        loader.hashAsItComes()
        try loader.waitUntilComplete()
        let error = #expect(throws: FetchError.self) { try loader.sha256() }
        guard case .checksumMismatch(let stated, let found, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(stated.field == name && stated.algorithm == algorithm)
        #expect(found != stated.digits && found.utf8.count == stated.digits.utf8.count)
        #expect(loader.status.presentBytes == 0)
        #expect(try trial.library.store.list().first?.presentBytes == 0)
        #expect(loader.log.result == "checksum mismatch")
        trial.origin.change("/a.mp4") { $0.fields = [] }
        try loader.waitUntilComplete()
        #expect(try loader.hashed()?.confirmed == [])
    }

    @Test(
        "it is known to a later process, whose answers do not state it", arguments: [true, false])
    func survives(isRight: Bool) throws {
        let trial = try LoaderTrial()
        try serve(trial, fields(isRight: isRight))
        do {
            _ = try trial.loader().information()
        }
        #expect(trial.origin.wait { _ in trial.logs.withLock { $0.count } == 1 })
        trial.origin.change("/a.mp4") { $0.fields = [] }
        let loader = try trial.another().loader(for: trial.origin.url("/a.mp4"))
        #expect(loader.status.presentBytes > 0)
        try loader.waitUntilComplete()
        if isRight {
            #expect(try loader.hashed()?.confirmed.count == 4)
        } else {
            #expect(throws: FetchError.self) { try loader.sha256() }
        }
    }

    @Test("another version has none of the one before")
    func changes() throws {
        let trial = try LoaderTrial { $0.freshSeconds = 0 }
        try serve(trial, fields(isRight: false))
        do {
            try trial.loader().waitUntilComplete()
        }
        #expect(trial.origin.wait { _ in trial.logs.withLock { $0.count } == 1 })
        let next = LoaderTrial.content(1_000_000, seed: 2)
        trial.origin.replace("/a.mp4", with: OriginObject(next, tag: .strong("v2")))
        let loader = try trial.another { $0.freshSeconds = 0 }
            .loader(for: trial.origin.url("/a.mp4"))
        try loader.waitUntilComplete()
        #expect(try loader.hashed()?.confirmed == [])
    }

    @Test("what the answers of one version state differently states nothing")
    func disputed() throws {
        let trial = try LoaderTrial()
        serve(trial, [OriginField("Digest", "SHA-256=\(try value(.sha256, isRight: false))")])
        let loader = try trial.loader()
        _ = try loader.information()
        let other = OriginField("Digest", "SHA-256=\(try value(.sha256))")
        trial.origin.change("/a.mp4") { $0.fields = [other] }
        try loader.waitUntilComplete()
        #expect(try loader.hashed()?.confirmed == [])
    }

    @Test("a sum of the body is one of the object only where the body is all of it")
    func ofBody() throws {
        let trial = try LoaderTrial()
        let wrong = OriginField("Content-MD5", try value(.md5, isRight: false))
        serve(trial, [wrong])
        let loader = try trial.loader()
        try loader.waitUntilComplete()
        #expect(try loader.hashed()?.confirmed == [])
        var whole = OriginObject(content)
        (whole.fields, whole.faults.ranges) = ([wrong], .ignored)
        trial.origin.serve("/b.mp4", whole)
        let other = try trial.loader("/b.mp4")
        try other.waitUntilComplete()
        #expect(throws: FetchError.self) { try other.sha256() }
    }

    @Test("bytes that have the SHA-256 that is asked for stay, whatever is stated")
    func expected() throws {
        let trial = try LoaderTrial()
        serve(trial, [OriginField("x-goog-hash", "md5=\(try value(.md5, isRight: false))")])
        let loader = try trial.loader()
        try loader.waitUntilComplete()
        let sum = try #require(Data(base64Encoded: try value(.sha256)))
        let hashed = try loader.hashed(expecting: RunningDigest.digits(sum))
        #expect(hashed?.refuted.map(\.field) == ["x-goog-hash"])
        #expect(loader.status.presentBytes == 2_500_000)
    }

    @Test("a playlist's stream has none")
    func playlist() throws {
        let trial = try LoaderTrial()
        let wrong = OriginField("Digest", "MD5=\(try value(.md5, isRight: false))")
        let lines = ["#EXTM3U", "#EXT-X-TARGETDURATION:4", "#EXTINF:4,", "a.ts", "#EXT-X-ENDLIST"]
        var list = OriginObject(.bytes(Array(lines.joined(separator: "\n").utf8)))
        list.fields = [wrong]
        trial.origin.serve("/list.m3u8", list)
        var piece = OriginObject(LoaderTrial.content(300_000))
        piece.fields = [wrong]
        trial.origin.serve("/a.ts", piece)
        let loader = try trial.loader("/list.m3u8")
        try loader.waitUntilComplete()
        #expect(try loader.hashed()?.confirmed == [])
    }

    @Test("an entry of an older release is read")
    func older() throws {
        let text = #"{"address":"a","createdAt":1,"isDoomed":false,"isPinned":true,"lastUsedAt":2}"#
        let entry = try JSONDecoder().decode(SourceEntry.self, from: Data(text.utf8))
        #expect(entry.isPinned && entry.stated == nil)
    }
}
