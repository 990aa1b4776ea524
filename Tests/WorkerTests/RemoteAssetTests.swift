import Foundation
import TakeupKit
import TakeupLanes
import TestSupport
import Testing

/// Assets behind addresses, as a program uses them that imports the umbrella alone.
@Suite("Remote assets")
struct RemoteAssetTests {
    private let origin: TestOrigin

    init() throws { origin = try TestOrigin() }

    /// Serves a clip and opens its address.
    private func source(
        _ bytes: [UInt8], beside folder: String, _ change: (inout OriginFaults) -> Void = { _ in }
    ) async throws -> LoaderSource {
        var object = OriginObject(.bytes(bytes))
        change(&object.faults)
        origin.serve("/a.mp4", object)
        let library = try RemoteTrial.library(beside: folder)
        let address = origin.url("/a.mp4?key=secret")
        return try await Lane("test").run { try LoaderSource(address, from: library) }
    }

    @Test(
        "keys are loaded as those of the file are",
        arguments: ["plain", "ranges ignored", "no length"])
    func loadsKeys(kind: String) async throws {
        defer { origin.stop() }
        let directory = try TemporaryDirectory()
        let clip = try Clip.base()
        let bytes = [UInt8](try clip.bytes())
        let source = try await source(bytes, beside: directory.file("cache")) { faults in
            if kind != "plain" { faults.ranges = .ignored }
            if kind == "no length" { faults.framing = .chunked }
        }
        let (remote, local) = (Asset(source: source), Asset(path: clip.path))

        let (tracks, duration) = try await remote.load(.tracks, .duration)
        let (isPlayable, isExportable, isProtected) = try await remote.load(
            .isPlayable, .isExportable, .hasProtectedContent)
        #expect(tracks.count == 2)
        #expect(isPlayable && isExportable && !isProtected)
        let expected = try await local.load(.tracks, .duration)
        #expect(tracks == expected.0 && duration == expected.1)
        // The look at what it is ends before such a body does, which is then begun again.
        let most = kind == "no length" ? 2 : 1
        #expect(origin.bytesServed("/a.mp4") <= Int64(most * bytes.count))
        #expect(!remote.name.contains("secret"))
    }

    @Test("content that is protected says so, and why it cannot be exported")
    func tellsProtection() async throws {
        defer { origin.stop() }
        let directory = try TemporaryDirectory()
        let clip = try Clip.make(
            "protected.mp4",
            ["-i", try Clip.base().path, "-c", "copy", "-encryption_scheme", "cenc-aes-ctr"]
                + ["-encryption_key", "76a6c65c5ea762046bd749a2e632ccbb"]
                + ["-encryption_kid", "a7e61c373e219033c21091fa607bf3b8"])
        let source = try await source(
            [UInt8](try clip.bytes()), beside: directory.file("cache"))
        let asset = Asset(source: source)
        let (isProtected, isExportable) = try await asset.load(.hasProtectedContent, .isExportable)
        #expect(isProtected && !isExportable)
    }

    @Test("a key that waits for the network is given up when its source is")
    func cancels() async throws {
        defer { origin.stop() }
        let directory = try TemporaryDirectory()
        let bytes = try RemoteTrial.clip()
        let source = try await source(bytes, beside: directory.file("cache")) { faults in
            faults.ranges = .ignored
            faults.stalls = [OriginStall(at: Int64(bytes.count / 2), times: nil)]
        }
        let asset = Asset(source: source)
        let loading = Task { try await asset.load(.duration) }
        // Its head has been read, its index is behind what comes.
        let origin = origin
        let hasBegun = try await Lane("test").run { origin.wait { _ in asset.bytesRead > 0 } }
        #expect(hasBegun)
        source.cancel()
        await #expect(throws: ExportError.cancelled) { try await loading.value }
        #expect(source.failure == nil)
    }

    @Test("why a key cannot be loaded is known to its source")
    func tellsFailure() async throws {
        defer { origin.stop() }
        let directory = try TemporaryDirectory()
        let bytes = try RemoteTrial.clip()
        let source = try await source(bytes, beside: directory.file("cache")) { faults in
            faults.ranges = .ignored
            faults.cuts = [OriginCut(.offset(Int64(bytes.count / 2)))]
        }
        let asset = Asset(source: source)
        await #expect(throws: ExportError.self) { try await asset.load(.duration) }
        guard case .unreachable? = source.failure else {
            Issue.record("\(source.failure as Any)")
            return
        }
    }

    @Test("a program exports an address as it does the file")
    func exports() async throws {
        defer { origin.stop() }
        let directory = try TemporaryDirectory()
        let clip = try Clip.base()
        let source = try await source(
            [UInt8](try clip.bytes()), beside: directory.file("cache"))
        var made: [[FrameHash]] = []
        for asset in [Asset(source: source), Asset(path: clip.path)] {
            let session = ExportSession(asset: asset, preset: try .named("passthrough"))
            source.onFailure { [weak session] in session?.cancel() }
            let output = directory.file("\(made.count).mp4")
            let report = try await session.export(to: output)
            #expect(report.duration > 1.9)
            made.append(try MediaTools.frameHashes(output))
        }
        #expect(made[0] == made[1])
        #expect(made[0].count { $0.stream == 0 } == 60)
    }
}
