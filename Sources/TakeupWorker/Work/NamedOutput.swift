internal import Foundation
internal import TakeupCache
internal import TakeupDigest
internal import TakeupExport
internal import TakeupFiles
internal import TakeupJobs

/// A job's output besides the cache: whether it is there, and how it comes there.
struct NamedOutput {
    let path: String
    let overwrite: String
    let usesHardLinks: Bool
    let manifest: Manifest

    /// Looks before any work whether the output could be placed.
    ///
    /// - Parameter sources: None of them is ever written over.
    /// - Throws: `WorkEnd.outcome`.
    func check(_ sources: OpenSources) throws(WorkEnd) {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return }
        defer { close(file) }
        guard let identity = FileIdentity(descriptor: file) else {
            throw Self.failed(.outputNotCreated(path, reason: "it is no regular file"))
        }
        let isSource = sources.all.contains {
            $0.identity.device == identity.device && $0.identity.inode == identity.inode
        }
        if isSource, overwrite != "unique" {
            throw Self.failed(.outputNotCreated(path, reason: "it is the source itself"))
        }
    }

    /// Whether the name is in use and may not be taken from who has it.
    var isTaken: Bool {
        var facts = stat()
        return overwrite == "fail" && lstat(path, &facts) == 0
    }

    /// Whether a file with just this content stands at a path already.
    func isPresent(_ path: String, bytes: Int64, sha256: String) throws(CacheError) -> Bool {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return false }
        defer { close(file) }
        guard let identity = FileIdentity(descriptor: file), identity.bytes == bytes else {
            return false
        }
        if let known = try manifest.digest(of: identity) { return known == sha256 }
        guard let found = try? SHA256Digest.ofFile(file, isStopped: { false }) else { return false }
        try manifest.remember(found, of: identity)
        return found == sha256
    }

    /// Brings a result to its place, whole or not at all.
    ///
    /// - Returns: Where it stands.
    func publish(
        _ result: CachedResult, _ failpoints: Failpoint.Plan?, isStopped: () -> Bool
    ) throws(WorkEnd) -> String {
        do throws(FileError) {
            try makeFolder()
            if usesHardLinks,
                let linked = try HardLink.publish(result.file.descriptor, at: path, policy)
            {
                return linked.path
            }
            let partial = try PartialFile(for: path)
            if try partial.fill(from: result.file.descriptor, isStopped: isStopped) != nil {
                try partial.synchronize()
                Failpoint.afterOutputFill.pass(failpoints)
                return try partial.publish(policy).path
            }
        } catch {
            throw Self.end(error, needBytes: result.file.bytes)
        }
        throw .stopped
    }

    private var policy: PartialFile.Overwrite {
        switch overwrite {
        case "replace": .replace
        case "unique": .unique
        default: .fail
        }
    }

    private func makeFolder() throws(FileError) {
        do {
            try FileManager.default.createDirectory(
                atPath: Folder.containing(path), withIntermediateDirectories: true)
        } catch {
            throw .creating(Folder.containing(path), errno == 0 ? EACCES : errno)
        }
    }

    private static func end(_ error: FileError, needBytes: Int64) -> WorkEnd {
        if case .diskFull(let path, _) = error {
            return .noRoom(path: Folder.containing(path), needBytes: needBytes)
        }
        return failed(.output(error))
    }

    private static func failed(_ error: ExportError) -> WorkEnd {
        let report = FailureReport(error)
        return .outcome(.failed(JobFault(report), retryable: report.disposition == .retry))
    }
}
