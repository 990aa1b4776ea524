internal import Foundation
internal import TakeupFiles
internal import TakeupLanes

/// A file with one JSON object a line for everything that was asked of the cache.
///
/// Any number of processes append to it: each line is one write. When it is full it becomes `access.log.1`, and what
/// had that name is gone. It never fails a lookup: what cannot be written is counted.
public final class AccessLog: Sendable {
    /// The size at which a new file is begun, in bytes.
    public static let standardBytes: Int64 = 10_000_000
    private static let name = "access.log"

    private struct State {
        var descriptor: Int32 = -1
        var lost = 0
    }

    private let folder: String
    private let mostBytes: Int64
    private let state = Locked(State())

    /// - Parameters:
    ///   - folder: An existing folder.
    ///   - mostBytes: The size at which a new file is begun; two are kept.
    public init(folder: String, mostBytes: Int64 = standardBytes) {
        (self.folder, self.mostBytes) = (folder, mostBytes)
    }

    deinit {
        state.withLock { state in
            if state.descriptor >= 0 { close(state.descriptor) }
        }
    }

    public var path: String { "\(folder)/\(Self.name)" }

    /// Events that could not be written.
    public var lostEvents: Int { state.withLock { $0.lost } }

    func append(_ event: CacheEvent) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard var line = try? encoder.encode(event) else {
            state.withLock { $0.lost += 1 }
            return
        }
        line.append(0x0A)
        let bytes = [UInt8](line)
        state.withLock { state in
            reopen(&state)
            let count = write(state.descriptor, bytes, bytes.count)
            if count != bytes.count { state.lost += 1 }
        }
    }

    /// Opens the file that has the name now, and begins a new one when it is full.
    private func reopen(_ state: inout State) {
        for _ in 0..<2 {
            var (named, held) = (stat(), stat())
            let isNamed = stat(path, &named) == 0
            let isHeld = state.descriptor >= 0 && fstat(state.descriptor, &held) == 0
            if !isNamed || !isHeld || named.st_ino != held.st_ino || named.st_dev != held.st_dev {
                if state.descriptor >= 0 { close(state.descriptor) }
                let flags = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC
                state.descriptor = open(path, flags, 0o600)
                guard fstat(state.descriptor, &held) == 0 else { return }
            }
            guard held.st_size >= mostBytes, setAside(state.descriptor) else { return }
        }
    }

    /// Gives a full file its second name, under its own lock: of two processes the later one would push the other's
    /// new file over the old one.
    ///
    /// - Returns: `false` while somebody else does it; the line goes to the full file then.
    private func setAside(_ descriptor: Int32) -> Bool {
        guard (try? FileLock.acquire(.exclusive, on: descriptor)) == true else { return false }
        defer { FileLock.release(descriptor) }
        var (named, held) = (stat(), stat())
        if stat(path, &named) == 0, fstat(descriptor, &held) == 0,
            named.st_ino == held.st_ino, named.st_dev == held.st_dev
        {
            rename(path, "\(path).1")
        }
        return true
    }
}
