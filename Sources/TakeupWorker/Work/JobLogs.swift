internal import Foundation
internal import TakeupDigest
internal import TakeupJobs

/// What the media libraries said about each job's last attempt, a bounded file a job.
struct JobLogs: Sendable {
    /// Age after which a log is removed, in seconds.
    private static let longestKept = 30.0 * 86_400

    let folder: String

    init(stateFolder: String) throws(WorkerError) {
        folder = "\(stateFolder)/logs"
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw .stateFolder(path: folder, reason: "it cannot be made")
        }
    }

    /// Where a job's log is; nothing of its name is in the path.
    func path(of job: JobID) -> String { Self.path(of: job, inLogs: folder) }

    /// Where the log of a job is below a worker's state folder.
    static func path(of job: JobID, in stateFolder: String) -> String {
        path(of: job, inLogs: "\(stateFolder)/logs")
    }

    private static func path(of job: JobID, inLogs folder: String) -> String {
        "\(folder)/\(SHA256Digest.of(job.rawValue).prefix(32)).log"
    }

    /// Replaces a job's log; an empty one is removed.
    func write(_ text: String, of lease: Lease) {
        let path = path(of: lease.job)
        guard !text.isEmpty else {
            unlink(path)
            return
        }
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return }
        defer { close(file) }
        let bytes = Array("job \(lease.job), token \(lease.token)\n\(text)".utf8)
        // A log that does not fit on the disk is shorter.
        _ = Foundation.write(file, bytes, bytes.count)
    }

    /// Removes what nobody will look at any more.
    func prune() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where name.hasSuffix(".log") {
            var facts = stat()
            guard stat("\(folder)/\(name)", &facts) == 0 else { continue }
            let age = Date().timeIntervalSince1970 - Double(facts.st_mtim.tv_sec)
            if age > Self.longestKept { unlink("\(folder)/\(name)") }
        }
    }
}
