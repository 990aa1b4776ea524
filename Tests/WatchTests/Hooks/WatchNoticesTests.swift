import Foundation
import TakeupLanes
import TestSupport
import Testing

@testable import TakeupWatch

@Suite("Folder watcher's notices")
struct WatchNoticesTests {
    @Test("a file that is handed or skipped is told in the step that records it, a rename is not")
    func told() throws {
        let bench = try LedgerBench()
        let folder = bench.directory.file("in")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        let hook = try Hook(.command(["true"]))
        let time = bench.time
        var duties = WatchDelegate(
            reasonToPassOver: { _ in nil },
            wish: { path, _, _ in path.hasPrefix("s") ? .skip("small") : .work("w") },
            hand: { _ in "job" },
            fingerprint: { _ in "content" },
            tell: { _ in })
        duties.writers = { _ in .none }
        duties.notices = { (file) throws(WatchError) in
            let name: HookEvent.Name = file.state == .skipped ? .skipped : .queued
            return [
                try OutboxEntry(
                    HookEvent(name, of: file, at: time.withLock { $0 }), to: [hook])
            ]
        }
        var settings = FolderSettings()
        (settings.mode, settings.stableSeconds) = (.polling, 1)
        let clock = WatchClock(
            forward: { time.withLock { $0 } }, wall: { Date().timeIntervalSince1970 })
        let watcher = try FolderWatcher(
            folder, settings, ledger: bench.ledger, clock: clock, duties: duties)
        for name in ["a.mov", "s.mov"] { try Data("x".utf8).write(to: url(folder, name)) }
        try pass(100, watcher, bench)
        try FileManager.default.moveItem(at: url(folder, "a.mov"), to: url(folder, "b.mov"))
        try pass(1000, watcher, bench)
        var told: [String] = []
        while let message = try bench.ledger.nextMessage(to: hook, of: [folder]) {
            let event = message.event
            told.append("\(event.type) \(event.path) \(event.job ?? event.reason ?? "")")
            try bench.ledger.finish(message)
        }
        #expect(told.sorted() == ["watch.queued a.mov job", "watch.skipped s.mov small"])
        #expect(try bench.ledger.file("b.mov", in: folder)?.job == "job")
    }

    private func url(_ folder: String, _ name: String) -> URL {
        URL(fileURLWithPath: "\(folder)/\(name)")
    }

    private func pass(
        _ seconds: Double, _ watcher: FolderWatcher, _ bench: borrowing LedgerBench
    ) throws {
        let end = bench.now + seconds
        while bench.now < end {
            let next = try watcher.step()
            bench.wait(max(0.05, min(next, end) - bench.now))
        }
    }
}
