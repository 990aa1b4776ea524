import Foundation
import TakeupFiles
import TakeupLanes
import Testing

@testable import TakeupFetch

@Suite("Store with many readers")
struct StoreConcurrencyTests {
    private static let length = 4 * StoreBytes.block

    @Test("readers beside a writer that changes versions never see two of them in one")
    func neverMixed() throws {
        let trial = try StoreTrial()
        let wholes = (UInt64(0)...1).map { StoreBytes.make(Self.length, version: $0 + 1) }
        let writer = try trial.open()
        let files = [writer, writer, try trial.open()]
        let (isDone, faults) = (Cancellation(), Locked<[String]>([]))
        let group = LaneGroup()
        for file in files {
            group.start("reader") {
                while !isDone.isCancelled {
                    if let fault = Self.fault(in: file, wholes) {
                        faults.withLock { $0.append(fault) }
                    }
                }
            }
        }
        for round in 0..<30 {
            let whole = wholes[round % 2]
            _ = try writer.bind(SourceVersion(validator: "\(round % 2)", length: Self.length))
            for start in stride(from: 0, to: Self.length, by: 100_000) {
                try writer.write(whole, start..<min(Self.length, start + 100_000))
            }
        }
        isDone.cancel()
        group.wait()
        #expect(faults.withLock { $0 }.isEmpty)
        #expect(writer.status.droppedBlocks == 0)
        #expect(try writer.isTrue(to: wholes[1]))
    }

    @Test("a lock that a child still holds, with nothing to follow, is waited for")
    func lockOfAChild() throws {
        let trial = try StoreTrial()
        let key = SourceKey(address: "a")
        let folder = trial.path(of: key)
        do { _ = try trial.open("a") }
        try Data("garbage".utf8).write(
            to: URL(fileURLWithPath: "\(folder)/\(SourceLayout.journal)"))
        let lock = open("\(folder)/\(SourceLayout.lock)", O_RDWR | O_CLOEXEC)
        #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
        let group = LaneGroup()
        group.start("child") {
            usleep(200_000)
            close(lock)
        }
        let file = try trial.open("a")
        group.wait()
        #expect(file.status.isWriter && file.status.version == nil)
    }

    @Test("a writer that goes leaves no lock to a child that has a copy of it")
    func copiedLock() throws {
        let trial = try StoreTrial()
        var file: SourceFile? = try trial.open("a")
        let path = trial.path(of: try #require(file?.key)) + "/\(SourceLayout.lock)"
        let held = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").first {
            let link = "/proc/self/fd/\($0)"
            return (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) == path
        }
        let copy = dup(try #require(held.flatMap { Int32($0) }))
        defer { close(copy) }
        file = nil
        #expect(try trial.open("a").status.isWriter)
    }

    /// Reads what a source holds of one generation.
    private static func fault(in file: SourceFile, _ wholes: [[UInt8]]) -> String? {
        do throws(FetchError) {
            _ = try file.refresh()
            let status = file.status
            guard let number = status.version.flatMap({ Int($0.validator) }) else { return nil }
            for range in status.present.ranges {
                let bytes = try file.bytes(range, generation: status.generation)
                guard StoreBytes.areEqual(bytes, wholes[number], at: range.lowerBound) else {
                    return "other bytes in \(range)"
                }
            }
            return nil
        } catch .changed {
            return nil
        } catch {
            return "\(error)"
        }
    }
}
