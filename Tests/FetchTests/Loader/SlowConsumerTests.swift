import Foundation
import TakeupLanes
import TestSupport
import Testing

@testable import TakeupFetch

@Suite("Loader with slow consumers")
struct SlowConsumerTests {
    /// What this process held at most, in bytes.
    private static func peakBytes() -> Int64 {
        // Not `getrusage`, which counts what the parent held before the program began.
        let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return (line?.split(separator: " ").dropLast().last.flatMap { Int64($0) } ?? 0) * 1024
    }

    /// A process of its own, so that nobody else's memory counts.
    @Test("fifty of them on 2 GB grow memory by less than 64 MB, kept or passed through (F6)")
    func memory() async {
        await #expect(processExitsWith: .success) {
            for isKept in [true, false] {
                let trial = try LoaderTrial {
                    $0.aheadBytes = 4 << 20
                    $0.keptBytes = isKept ? nil : 1
                }
                let content = LoaderTrial.content(2_000_000_000)
                trial.origin.serve("/a.mp4", OriginObject(content))
                let loader = try trial.loader()
                let first = try loader.reader().all(0..<1000)
                let expected = try content.read(0..<1000)
                precondition(first == expected)
                let before = Self.peakBytes()
                precondition(before > 0)
                let right = Locked(0)
                let group = LaneGroup()
                for number in 0..<50 {
                    group.start("slow") {
                        let reader = loader.reader()
                        for step in 0..<20 {
                            // 100 KB/s each, close together or all over the object.
                            let start = Int64(number % 5) * 390_000_000 + Int64(step) * 10_000
                            let range = start..<start + 10_000
                            guard let bytes = try? reader.all(range),
                                let expected = try? content.read(range), bytes == expected
                            else { return }
                            usleep(100_000)
                        }
                        right.withLock { $0 += 1 }
                    }
                }
                group.wait()
                precondition(right.withLock { $0 } == 50)
                let more = Self.peakBytes() - before
                precondition(more < 64_000_000 || Sanitizer.isOn, "\(more) bytes more")
            }
        }
    }
}
