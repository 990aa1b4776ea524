import Foundation
import TakeupFiles
import TakeupLanes
import TestSupport

@testable import TakeupWatch

/// A watched folder whose time the test moves, and what its watcher has said and handed over.
final class WatchBench {
    let directory: Directory
    let controls = Controls()
    let ledger: WatchLedger
    var settings = FolderSettings()
    private(set) var watcher: FolderWatcher

    /// What a test sets, and what it finds.
    final class Controls: Sendable {
        let time = Locked(0.0)
        let notes = Locked<[WatchNote]>([])
        let handed = Locked<[String]>([])
        /// What is to be made of a file, by its path.
        let wish = Locked<@Sendable (String) -> WatchDelegate.Wish>({ _ in .work("w") })
        let refusal = Locked<WatchError?>(nil)
        /// What every file is found to hold; nil where nobody looks.
        let examination = Locked<WatchDelegate.Examination?>(nil)
        /// Nobody, unless a test has the system asked: a child of another test between its fork and its program
        /// holds copies of all descriptors.
        let writers = Locked<Writers?>(Writers.none)
        /// Whether other things may be wished from the next scan on.
        let hasChanged = Locked(false)
    }

    var time: Locked<Double> { controls.time }
    var notes: Locked<[WatchNote]> { controls.notes }
    var handed: Locked<[String]> { controls.handed }
    var wish: Locked<@Sendable (String) -> WatchDelegate.Wish> { controls.wish }
    var refusal: Locked<WatchError?> { controls.refusal }

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
        watcher = try Self.watcher(directory, settings, ledger, controls)
    }

    var folder: String { directory.own.file("in") }

    /// A daemon that was started again.
    func restart() throws {
        watcher = try Self.watcher(directory, settings, ledger, controls)
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
        _ controls: Controls
    ) throws -> FolderWatcher {
        let start = Date().timeIntervalSince1970
        let clock = WatchClock(
            forward: { controls.time.withLock { $0 } },
            wall: { start + controls.time.withLock { $0 } })
        var duties = WatchDelegate(
            prepare: { controls.hasChanged.withLock { $0 } },
            reasonToPassOver: {
                $0.name.hasPrefix(".") || $0.name.hasSuffix(".srt") ? "no media" : nil
            },
            wish: { path, _, _ in controls.wish.withLock { $0 }(path) },
            examine: { _, _, _ in controls.examination.withLock { $0 } },
            hand: { (file) throws(WatchError) in
                if let error = controls.refusal.withLock({ $0 }) { throw error }
                controls.handed.withLock { $0.append(file.path) }
                return "job-\(file.fingerprint)-\(file.path)-\(file.work)"
            },
            fingerprint: { descriptor in
                var bytes = [UInt8](repeating: 0, count: 100)
                let count = pread(descriptor, &bytes, 100, 0)
                return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
            },
            tell: { note in controls.notes.withLock { $0.append(note) } })
        let writers = duties.writers
        duties.writers = { file in controls.writers.withLock { $0 } ?? writers(file) }
        return try FolderWatcher(
            directory.own.file("in"), settings, ledger: ledger, clock: clock, duties: duties)
    }
}
