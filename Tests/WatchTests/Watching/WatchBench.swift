import Foundation
import TakeupFiles
import TakeupLanes
import TestSupport

@testable import TakeupWatch

/// A watched folder whose time the test moves, and what its watcher has said and handed over.
final class WatchBench {
    let directory: Directory
    let time = Locked(0.0)
    let notes = Locked<[WatchNote]>([])
    let handed = Locked<[String]>([])
    /// What is to be made of a file, by its path.
    let wish = Locked<@Sendable (String) -> WatchDuties.Wish>({ _ in .work("w") })
    let refusal = Locked<WatchError?>(nil)
    let ledger: WatchLedger
    var settings = FolderSettings()
    private(set) var watcher: FolderWatcher

    /// A directory that can be a stored property of a class.
    final class Directory {
        let own: TemporaryDirectory
        init() throws { own = try TemporaryDirectory() }
    }

    init(_ change: (inout FolderSettings) -> Void = { _ in }) throws {
        directory = try Directory()
        try FileManager.default.createDirectory(
            atPath: directory.own.file("in"), withIntermediateDirectories: true)
        ledger = try WatchLedger(path: directory.own.file("state.db")) { 0 }
        settings.mode = .polling
        settings.stableSeconds = 10
        change(&settings)
        watcher = try Self.watcher(
            directory, settings, ledger, time, notes, handed, wish, refusal)
    }

    var folder: String { directory.own.file("in") }

    /// A daemon that was started again.
    func restart() throws {
        watcher = try Self.watcher(
            directory, settings, ledger, time, notes, handed, wish, refusal)
    }

    func write(_ path: String, _ text: String) throws {
        let file = URL(fileURLWithPath: "\(folder)/\(path)")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    func append(_ path: String, _ text: String) throws {
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: "\(folder)/\(path)"))
        try file.seekToEnd()
        try file.write(contentsOf: Data(text.utf8))
        try file.close()
    }

    func move(_ path: String, to target: String) throws {
        try FileManager.default.moveItem(atPath: "\(folder)/\(path)", toPath: "\(folder)/\(target)")
    }

    /// Lets time pass, and does whatever is due meanwhile.
    func pass(_ seconds: Double) throws {
        let end = time.withLock { $0 } + seconds
        while true {
            _ = try watcher.wait(seconds: 0)
            let next = try watcher.step()
            guard next <= end else { break }
            time.withLock { $0 = max($0 + 0.05, next) }
        }
        time.withLock { $0 = end }
    }

    private static func watcher(
        _ directory: Directory, _ settings: FolderSettings, _ ledger: WatchLedger,
        _ time: Locked<Double>, _ notes: Locked<[WatchNote]>, _ handed: Locked<[String]>,
        _ wish: Locked<@Sendable (String) -> WatchDuties.Wish>, _ refusal: Locked<WatchError?>
    ) throws -> FolderWatcher {
        let start = Date().timeIntervalSince1970
        let clock = WatchClock(
            forward: { time.withLock { $0 } }, wall: { start + time.withLock { $0 } })
        let duties = WatchDuties(
            reasonToPassOver: { $0.name.hasPrefix(".") ? "hidden" : nil },
            wish: { path, _ in wish.withLock { $0 }(path) },
            hand: { (file) throws(WatchError) in
                if let error = refusal.withLock({ $0 }) { throw error }
                handed.withLock { $0.append(file.path) }
                return "job-\(file.fingerprint)-\(file.path)-\(file.work)"
            },
            fingerprint: { descriptor in
                var bytes = [UInt8](repeating: 0, count: 100)
                let count = pread(descriptor, &bytes, 100, 0)
                return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
            },
            tell: { note in notes.withLock { $0.append(note) } })
        return try FolderWatcher(
            directory.own.file("in"), settings, ledger: ledger, clock: clock, duties: duties)
    }
}
