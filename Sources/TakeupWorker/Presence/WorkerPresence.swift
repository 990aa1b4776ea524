internal import Foundation
internal import TakeupFiles
internal import TakeupJobs

/// Shows that a worker lives: a locked file that the kernel unlocks when the process dies, however it dies.
final class WorkerPresence: Sendable {
    let id: WorkerID
    /// Private to the worker, for what its helpers write; removed with it.
    let scratch: String
    private let folder: String
    private let isCommon: Bool
    private let descriptor: Int32

    /// Takes a place among the workers.
    ///
    /// - Parameters:
    ///   - parent: Gets a folder for the workers, 0700.
    ///   - isCommon: Whether every worker of the queue that runs on this machine uses the same folder.
    /// - Throws: `WorkerError.stateFolder`.
    init(folder parent: String, isCommon: Bool) throws(WorkerError) {
        self.isCommon = isCommon
        folder = "\(parent)/workers"
        id = WorkerID(
            rawValue:
                "\(Self.host)-\(getpid())-\(String(UInt32.random(in: 0...UInt32.max), radix: 36))")
        scratch = "\(folder)/\(id).scratch"
        try Self.makeFolder(folder)
        let path = Self.lockPath(id, in: folder)
        guard let file = Self.claim(path) else {
            throw .stateFolder(path: folder, reason: String(cString: strerror(errno)))
        }
        descriptor = file
        // After the lock: without it, a sweep would remove the folder.
        do throws(WorkerError) {
            try Self.makeFolder(scratch)
        } catch {
            unlink(path)
            close(file)
            throw error
        }
    }

    deinit {
        leave()
        FileLock.release(descriptor)
        close(descriptor)
    }

    /// Removes what it has made; for a worker that holds no job any more.
    func leave() {
        try? FileManager.default.removeItem(atPath: scratch)
        unlink(Self.lockPath(id, in: folder))
    }

    private static func makeFolder(_ path: String) throws(WorkerError) {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw .stateFolder(path: path, reason: "it cannot be made")
        }
    }

    /// Makes a lock file and holds it; nil when that fails.
    private static func claim(_ path: String) -> Int32? {
        while true {
            let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard file >= 0 else { return nil }
            guard (try? FileLock.wait(for: .exclusive, on: file)) != nil else {
                close(file)
                return nil
            }
            // Between the two steps another worker may have swept it away as a dead one's.
            if isNamed(path, file) { return file }
            close(file)
        }
    }

    private static func isNamed(_ path: String, _ file: Int32) -> Bool {
        var (named, opened) = (stat(), stat())
        return lstat(path, &named) == 0 && fstat(file, &opened) == 0
            && named.st_ino == opened.st_ino && named.st_dev == opened.st_dev
    }

    /// Which of these workers ran here and are dead, and whatever they left is removed.
    func dead(among workers: [WorkerID]) -> [WorkerID] {
        let here = workers.filter { $0 != id && $0.rawValue.hasPrefix("\(Self.host)-") }
        return here.filter { !isAlive($0) }
    }

    /// Whether a worker of this machine has died and left its lock.
    var hasDeadNeighbours: Bool {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.contains { name in
            guard name.hasSuffix(".lock") else { return false }
            let other = WorkerID(rawValue: String(name.dropLast(".lock".count)))
            return other != id && !isAlive(other)
        }
    }

    /// Removes the locks and scratch files of the workers that died here.
    ///
    /// - Parameter leaseholders: Keeps what shows that one of these is dead, until its jobs were taken back.
    func sweep(except leaseholders: [WorkerID]) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where name.hasSuffix(".lock") {
            let other = WorkerID(rawValue: String(name.dropLast(".lock".count)))
            let path = Self.lockPath(other, in: folder)
            guard other != id, !leaseholders.contains(other), let file = Self.seize(path)
            else { continue }
            // Its lock is held meanwhile, so that nobody begins under the same name.
            try? FileManager.default.removeItem(atPath: "\(folder)/\(other).scratch")
            unlink(path)
            close(file)
        }
    }

    /// Holds the lock of a worker that is dead; nil for a living one's.
    private static func seize(_ path: String) -> Int32? {
        let file = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return nil }
        if (try? FileLock.acquire(.exclusive, on: file)) == true, isNamed(path, file) {
            return file
        }
        close(file)
        return nil
    }

    private func isAlive(_ worker: WorkerID) -> Bool {
        let file = open(Self.lockPath(worker, in: folder), O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        // Without its lock file it is dead, unless its process is still there, or its files may be elsewhere: then only
        // the lease can tell.
        guard file >= 0 else { return !isCommon || errno != ENOENT || Self.hasProcess(worker) }
        defer {
            FileLock.release(file)
            close(file)
        }
        return (try? FileLock.acquire(.exclusive, on: file)) != true
    }

    /// Whether a process has the number that the id names; it may be another one's by now.
    private static func hasProcess(_ worker: WorkerID) -> Bool {
        let parts = worker.rawValue.split(separator: "-")
        guard parts.count > 1, let number = pid_t(parts[1]), number > 0 else { return false }
        return kill(number, 0) == 0 || errno == EPERM
    }

    private static func lockPath(_ worker: WorkerID, in folder: String) -> String {
        "\(folder)/\(worker).lock"
    }

    /// Names the machine as it runs now: after a restart nobody of before is alive.
    private static let host: String = {
        let boot =
            (try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)) ?? ""
        let digits = boot.filter(\.isHexDigit).prefix(12)
        return digits.isEmpty ? "host" : String(digits)
    }()
}
