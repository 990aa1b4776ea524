import Foundation
import TakeupCurl
import TakeupLanes
import TestSupport
import Testing

@testable import TakeupFetch

@Suite("Loader and faults")
struct LoaderFaultTests {
    private static let length: Int64 = 4_000_000
    private let content = LoaderTrial.content(length)

    private func object(_ change: (inout OriginFaults) -> Void) -> OriginObject {
        var object = OriginObject(content)
        change(&object.faults)
        return object
    }

    @Test(
        "ten breaks each: resets, cuts and stalls cost little more than the object (F4)",
        arguments: 1...10)
    func breaks(seed: UInt64) throws {
        let trial = try LoaderTrial {
            ($0.limits.lowSpeedSeconds, $0.limits.lowSpeedBytesPerSecond) = (0.2, 1)
        }
        var random = SeededRandom(state: seed)
        let chunked = seed % 2 == 0
        trial.origin.serve(
            "/a.mp4",
            object { faults in
                faults.cuts = (0..<10).map { _ in
                    OriginCut(
                        .offset(1 + Int64(random.next() % UInt64(Self.length - 1))),
                        by: random.next() % 2 == 0 ? .reset : .close, times: 1)
                }
                faults.stalls = [
                    OriginStall(at: Int64(random.next() % UInt64(Self.length)), times: 1)
                ]
                if chunked { faults.framing = .chunked }
            })
        let loader = try trial.loader()
        #expect(try loader.reader().everything() == LoaderTrial.bytes(content))
        #expect(Double(trial.origin.bytesServed("/a.mp4")) <= 1.05 * Double(Self.length) + 262_144)
        #expect(loader.log.retries > 0)
    }

    @Test("five tries without progress end in a typed error (F4)")
    func givesUp() throws {
        let trial = try LoaderTrial { $0.limits.headSeconds = 0.2 }
        trial.origin.serve("/hang.mp4", object { $0.answers = [.hangUp(.reset)] })
        trial.origin.serve("/busy.mp4", object { $0.answers = [.retry(503, afterSeconds: 9)] })
        trial.origin.serve("/slow.mp4", object { $0.head.delaySeconds = 5 })
        for (path, name) in [
            ("/hang.mp4", "unreachable"), ("/busy.mp4", "status 503"), ("/slow.mp4", "unreachable"),
        ] {
            let loader = try trial.loader(path)
            let error = #expect(throws: FetchError.self) { try loader.information() }
            #expect(error?.name == name)
            #expect(trial.origin.requestCount(path) == 5)
            #expect(loader.log.retries == 4)
        }
    }

    @Test("a body that is always too short ends in a typed error, its bytes stay")
    func tooShort() throws {
        let trial = try LoaderTrial()
        trial.origin.serve(
            "/a.mp4",
            object {
                $0.ranges = .ignored
                $0.cuts = [OriginCut(.offset(1_500_000))]
            })
        let loader = try trial.loader()
        let error = #expect(throws: FetchError.self) { try loader.waitUntilComplete() }
        #expect(error?.name == "unreachable")
        #expect(loader.status.presentBytes == 1_500_000)
    }

    @Test("an object that is larger than the limit is refused, told or not")
    func tooLarge() throws {
        let trial = try LoaderTrial { $0.judge.limitBytes = 1_000_000 }
        trial.origin.serve("/told.mp4", OriginObject(content))
        trial.origin.serve(
            "/endless.mp4",
            object {
                $0.ranges = .ignored
                $0.framing = .endlessChunked
            })
        for path in ["/told.mp4", "/endless.mp4"] {
            let loader = try trial.loader(path)
            let error = #expect(throws: FetchError.self) { try loader.waitUntilComplete() }
            #expect(error?.name == "too large")
        }
    }

    @Test("who leaves at a tenth stops the download within a block and a second (F5)")
    func leaves() throws {
        let trial = try LoaderTrial()
        let long = LoaderTrial.content(20_000_000)
        var object = OriginObject(long)
        object.faults.bytesPerSecond = 1_000_000
        trial.origin.serve("/a.mp4", object)
        let loader = try trial.loader()
        var came: Int64 = 0
        do {
            let reader = loader.reader()
            #expect(try reader.all(0..<2_000_000) == long.read(0..<2_000_000))
            came = trial.origin.bytesServed("/a.mp4")
        }
        #expect(trial.origin.wait { $0.totals.openRequests == 0 && loader.status.phase == .idle })
        let more = trial.origin.bytesServed("/a.mp4") - came
        #expect(more <= BlockMap.blockBytes + 1_000_000, "\(more) more")
        #expect(loader.status.presentBytes < 4_000_000)
    }

    @Test("who leaves stops nothing that another one reads, nor who wants all of it (F5)")
    func othersStay() throws {
        let trial = try LoaderTrial()
        trial.origin.serve("/a.mp4", object { $0.bytesPerSecond = 8_000_000 })
        let loader = try trial.loader()
        let stays = loader.reader()
        for _ in 0..<5 {
            let leaver = loader.reader()
            #expect(try leaver.some(10, at: 0) == content.read(0..<10))
            leaver.cancel()
        }
        #expect(try stays.everything() == LoaderTrial.bytes(content))
        #expect(trial.origin.bytesServed("/a.mp4") <= Self.length + BlockMap.blockBytes)
    }

    @Test("a slow reader with a window makes the origin send no more (F6)")
    func keepsWindow() throws {
        let window: Int64 = 1 << 20
        let trial = try LoaderTrial { $0.aheadBytes = window }
        let long = LoaderTrial.content(40_000_000)
        trial.origin.serve("/a.mp4", OriginObject(long))
        let loader = try trial.loader()
        let reader = loader.reader()
        for step in 1...8 {
            let end = Int64(step) * 700_000
            #expect(try reader.all(end - 700_000..<end) == long.read(end - 700_000..<end))
            #expect(
                trial.origin.wait { $0.totals.openRequests == 0 && loader.status.phase == .idle })
            #expect(loader.status.presentBytes <= end + window + BlockMap.blockBytes)
            #expect(trial.origin.bytesServed("/a.mp4") <= end + window + BlockMap.blockBytes)
        }
    }

    @Test("when the one who began leaves, the others go on (F11)")
    func handsOver() throws {
        let trial = try LoaderTrial()
        trial.origin.serve(
            "/a.mp4",
            object {
                $0.answers = [.status(503, times: 2)]
                $0.stalls = [OriginStall(at: 1_000_000)]
            })
        let loader = try trial.loader()
        let (leader, follower) = (loader.reader(), loader.reader())
        let ended = Locked<FetchError?>(nil)
        let group = LaneGroup()
        group.start("leader") {
            do throws(FetchError) {
                _ = try leader.everything()
            } catch {
                ended.withLock { $0 = error }
            }
        }
        #expect(try follower.all(0..<900_000) == content.read(0..<900_000))
        leader.cancel()
        group.wait()
        #expect(ended.withLock { $0 } == .cancelled)
        trial.origin.release("/a.mp4")
        #expect(try follower.everything() == LoaderTrial.bytes(content))
    }

    @Test("a failure reaches everybody once; who comes later tries anew")
    func failsOnce() throws {
        let trial = try LoaderTrial()
        trial.origin.serve("/a.mp4", object { $0.answers = [.status(404)] })
        let loader = try trial.loader()
        let errors = Locked<[FetchError]>([])
        let group = LaneGroup()
        for _ in 0..<10 {
            group.start("reader") {
                let reader = loader.reader()
                do throws(FetchError) {
                    _ = try reader.some(10, at: 0)
                } catch {
                    errors.withLock { $0.append(error) }
                }
            }
        }
        group.wait()
        let status = FetchError.status(404, address: trial.origin.url("/a.mp4"))
        #expect(errors.withLock { $0 } == Array(repeating: status, count: 10))
        trial.origin.change("/a.mp4") { $0.faults.answers = [] }
        #expect(try loader.reader().some(10, at: 0) == content.read(0..<10))
    }

    @Test("a silent transfer gives way to who waits elsewhere")
    func silentGivesWay() throws {
        let trial = try LoaderTrial()
        trial.origin.serve("/a.mp4", object { $0.stalls = [OriginStall(at: 500_000, times: 1)] })
        let loader = try trial.loader()
        let first = loader.reader()
        #expect(try first.all(0..<400_000) == content.read(0..<400_000))
        let far: Range<Int64> = 3_000_000..<3_010_000
        #expect(try loader.reader().all(far) == content.read(far))
    }

    @Test(
        "a full disk ends a download that nobody reads with a typed error; what is here stays (F3)")
    func fullDisk() throws {
        let trial = try LoaderTrial()
        trial.origin.serve("/a.mp4", object { $0.stalls = [OriginStall(at: 1_500_000)] })
        let loader = try trial.loader()
        do {
            let reader = loader.reader()
            #expect(try reader.all(0..<1_400_000) == content.read(0..<1_400_000))
        }
        let file = loader.session.file
        let full = StoredFile(Foundation.open("/dev/full", O_RDWR | O_CLOEXEC), path: "/dev/full")
        let good = file.state.withLock { state in
            defer { state.data = full }
            return state.data
        }
        trial.origin.release("/a.mp4")
        let error = #expect(throws: FetchError.self) { try loader.waitUntilComplete() }
        #expect(error?.isDiskFull == true)
        #expect(trial.origin.wait { $0.totals.openRequests == 0 })
        file.state.withLock { $0.data = good }
        #expect(try loader.reader().everything() == LoaderTrial.bytes(content))
    }

    @Test("what was fetched before a kill is not fetched again")
    func survivesKill() throws {
        let trial = try LoaderTrial()
        let long = LoaderTrial.content(12_000_000)
        var object = OriginObject(long)
        object.faults.stalls = [OriginStall(at: 10_000_000)]
        trial.origin.serve("/a.mp4", object)
        let killed = try TemporaryDirectory()
        do {
            let loader = try trial.loader()
            #expect(try loader.reader().all(0..<10_000_000) == long.read(0..<10_000_000))
            // As the disk is at this moment: nothing was closed, nothing committed at the end.
            try FileManager.default.copyItem(
                atPath: trial.library.store.path, toPath: killed.file("sources"))
        }
        let served = trial.origin.bytesServed("/a.mp4")
        trial.origin.release("/a.mp4")
        let store = try SourceStore(path: killed.file("sources")) { Date().timeIntervalSince1970 }
        let library = SourceLibrary(store: store, settings: LoaderTrial.settings())
        let loader = try library.loader(for: trial.origin.url("/a.mp4"))
        #expect(try loader.reader().everything() == LoaderTrial.bytes(long))
        let again = trial.origin.bytesServed("/a.mp4") - served - 2_000_000
        // One commit under way, and what came meanwhile.
        #expect(again <= 8 << 20, "\(again) again")
    }
}
