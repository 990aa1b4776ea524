internal import Foundation
internal import TakeupFiles
internal import TakeupJobs

/// Shows that a worker lives: a locked file that the kernel unlocks when the process dies, however it dies.
final class WorkerPresence: Sendable {
    let id: WorkerID
    /// Private to the worker, for what its helpers write; removed with it.
    let scratch: String
    private let folder: String
    private let descriptor: Int32

    /// - Parameter stateFolder: Made, 0700, where there is none.
    /// - Throws: `WorkerError.stateFolder`.
    init(stateFolder: String) throws(WorkerError) {
        folder = "\(stateFolder)/workers"
        id = WorkerID(
            rawValue:
                "\(Self.host)-\(getpid())-\(String(UInt32.random(in: 0...UInt32.max), radix: 36))")
        scratch = "\(folder)/\(id).scratch"
        for path in [folder, scratch] {
            do {
                try FileManager.default.createDirectory(
                    atPath: path, withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700])
            } catch {
                throw .stateFolder(path: path, reason: "it cannot be made")
            }
        }
        descriptor = open(
            Self.lockPath(id, in: folder), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0, (try? FileLock.acquire(.exclusive, on: descriptor)) == true else {
            let reason = String(cString: strerror(errno))
            if descriptor >= 0 { close(descriptor) }
            throw .stateFolder(path: folder, reason: reason)
        }
    }

    deinit {
        unlink(Self.lockPath(id, in: folder))
        close(descriptor)
        try? FileManager.default.removeItem(atPath: scratch)
    }

    /// Which of these workers ran here and are dead, and whatever they left is removed.
    func dead(among workers: [WorkerID]) -> [WorkerID] {
        let here = workers.filter { $0 != id && $0.rawValue.hasPrefix("\(Self.host)-") }
        return here.filter { !isAlive($0) }
    }

    /// Removes the locks and scratch files of the workers that died here.
    func sweep() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where name.hasSuffix(".lock") {
            let other = WorkerID(rawValue: String(name.dropLast(".lock".count)))
            guard other != id, !isAlive(other) else { continue }
            unlink("\(folder)/\(name)")
            try? FileManager.default.removeItem(atPath: "\(folder)/\(other).scratch")
        }
    }

    private func isAlive(_ worker: WorkerID) -> Bool {
        let file = open(Self.lockPath(worker, in: folder), O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return errno != ENOENT }
        defer { close(file) }
        return (try? FileLock.acquire(.exclusive, on: file)) != true
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
