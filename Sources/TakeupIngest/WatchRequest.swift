internal import Foundation
internal import TakeupDigest
package import TakeupModel
package import TakeupFiles
internal import TakeupIntake
package import TakeupJobs
package import TakeupWatch

/// One folder that is to be watched, and what is to be made of its files.
package struct WatchRequest: Sendable {
    /// Absolute, symbolic links resolved, without a slash at the end.
    package let folder: String
    /// Absolute; nil for the cache alone.
    package let output: String?
    /// Absolute; used where sources are moved.
    package let done: String
    /// Absolute; used where sources of failed jobs are moved.
    package let failed: String
    package let settings: FolderSettings
    /// Holds where no settings file inside the folder says otherwise.
    package let policy: FolderPolicy
    /// The settings, as the ledger notes them for later questions; nil notes none.
    package let note: String?
    /// Names that are passed over.
    private let excluded: IgnoreFile

    /// The name of settings files inside a watched folder.
    package static let settingsName = ".takeup-folder.json"

    /// - Parameters:
    ///   - folder: Absolute.
    ///   - output: Absolute; nil for the cache alone.
    ///   - done: Absolute; nil for `done` in the folder.
    ///   - failed: Absolute; nil for `failed` in the folder.
    ///   - settings: How the folder is watched.
    ///   - excluded: Names that are passed over.
    ///   - policy: What is made of its files.
    ///   - note: As above.
    /// - Throws: With 64 for a name that no output can have, and with the policy's own failures.
    package init(
        _ folder: String, output: String?, done: String?, failed: String?,
        _ settings: FolderSettings, excluding excluded: IgnoreFile, _ policy: FolderPolicy,
        note: String?
    ) throws(Failure) {
        self.folder = Folder.resolved(folder)
        self.output = output.map(Folder.resolved)
        self.done = done.map(Folder.resolved) ?? "\(self.folder)/\(Self.doneName)"
        self.failed = failed.map(Folder.resolved) ?? "\(self.folder)/\(Self.failedName)"
        (self.settings, self.excluded) = (settings, excluded)
        (self.policy, self.note) = (policy, note)
        if let output = self.output {
            try Self.checkIsFolder(output, hint: "outputs go into a folder: name another")
        }
        try policy.check(hasOutput: output != nil)
        do {
            // A name that no output can have is known before the first file is.
            _ = try FileDecision(policy, FileFacts(path: "source")).work(output: self.output)
        } catch let error as BatchFault {
            throw .watch(.usage, "\(error)", hint: error.hint ?? "check the options")
        } catch let error as WatchError {
            throw Failure(error)
        } catch {
            throw .unexpected(error)
        }
    }

    /// Refuses what is no folder, or not there.
    ///
    /// - Parameters:
    ///   - path: Absolute.
    ///   - mayBeMissing: Whether its disk may be mounted later.
    /// - Throws: With 64 or 66.
    package static func check(_ path: String, mayBeMissing: Bool) throws(Failure) {
        guard mayBeMissing || FileManager.default.fileExists(atPath: path) else {
            throw .watch(.inputMissing, "there is no \(path)", hint: "make the folder, or mount it")
        }
        try checkIsFolder(path, hint: "a single file needs no watching: export it")
    }

    private static func checkIsFolder(_ path: String, hint: String) throws(Failure) {
        var isFolder: ObjCBool = true
        guard
            !FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
                || isFolder.boolValue
        else { throw .watch(.usage, "\(path) is no folder", hint: hint) }
    }

    /// What the folder's `.takeupignore` says now.
    ///
    /// - Throws: `WatchError` when there is one that cannot be read: then nothing may be taken.
    package static func ignoreFile(in folder: String) throws(WatchError) -> IgnoreFile {
        let bytes = try BoundedFile.bytes(
            at: IgnoreFile.name, below: folder, most: IgnoreFile.mostBytes)
        guard let bytes else { return IgnoreFile() }
        return try IgnoreFile(String(decoding: bytes, as: UTF8.self))
    }

    /// Folders that sources are moved to are none to take sources from, nor are those that they go to by default.
    private func reasonToPassOver(folder path: String) -> String? {
        if path == done || path == "\(folder)/\(Self.doneName)" { return "what is done" }
        return path == failed || path == "\(folder)/\(Self.failedName)" ? "what has failed" : nil
    }

    private static let doneName = "done"
    private static let failedName = "failed"

    /// Why a name is passed over; nil for one that is taken, or entered.
    ///
    /// - Parameters:
    ///   - entry: What was found.
    ///   - ignored: What the folder's ignore file says.
    ///   - asides: Folders that sources have been moved to before; absolute.
    /// - Returns: For people.
    package func reasonToPassOver(
        _ entry: ScanEntry, _ ignored: IgnoreFile, asides: Set<String> = []
    ) -> String? {
        if entry.isFolder {
            let path = "\(folder)/\(entry.path)"
            if let reason = reasonToPassOver(folder: path) { return reason }
            if asides.contains(path) { return "what was moved there" }
            if let reason = TemporaryName.reason(folder: entry.name) { return reason }
            if MediaName.isPassedOver(folder: entry.name) { return "a system's folder" }
        } else {
            if let reason = TemporaryName.reason(entry.path) { return reason }
            guard MediaName.isMedia(entry.name) else { return "not a media suffix" }
        }
        if excluded.ignores(entry.path, isFolder: entry.isFolder) { return "excluded" }
        return ignored.line(ignoring: entry.path, isFolder: entry.isFolder).map {
            "ignored by line \($0) of \(IgnoreFile.name)"
        }
    }

    /// The job for a file that is whole; the same file gives the same one.
    ///
    /// - Parameters:
    ///   - file: As it is handed.
    ///   - choice: What is made of it.
    ///   - trial: Whether its result is looked at in the cache before it gets a name of its own.
    ///   - output: The output of an earlier job, which the new one takes the place of.
    /// - Returns: What the queue takes.
    /// - Throws: For a preset or a name that cannot be used.
    package func spec(
        for file: WatchedFile, _ choice: FileDecision, trial: Bool, replacing output: String? = nil
    ) throws -> JobSpec {
        // The worker follows no links: where the folder lies now.
        var job = SingleJob(
            sources: ["\(Folder.resolved(folder))/\(file.path)"], folder: folder)
        job.id = jobID(of: file, trial: trial)
        if !trial { job.output = try output ?? self.output(of: file.path, file.identity, choice) }
        var options = choice.options
        if output != nil { options.settings.overwrite = .replace }
        var spec = try job.spec(options)
        // Whoever may write there could put a link in a folder's place until the job's turn comes.
        spec.followsLinks = false
        // The folder's ledger notices by itself what becomes of its files.
        spec.onReplaced = .accept
        if spec.request.output != nil, choice.policy.keepsTraits { spec.attributes = .source }
        return spec
    }

    /// The same for the same file, under the same name.
    package func jobID(of file: WatchedFile, trial: Bool) -> String {
        var keys = [folder, file.path, file.fingerprint, file.work]
        if file.again > 0 { keys.append("again \(file.again)") }
        let key = SHA256Digest.of(keys.joined(separator: "\n")).prefix(24)
        return "\(trial ? Self.trialPrefix : "watch")-\(key)"
    }

    /// What ids of jobs begin with whose results are compared with their sources first.
    package static let trialPrefix = "trial"

    /// nil for the cache alone.
    package func output(
        of path: String, _ identity: FileIdentity, _ choice: FileDecision
    ) throws -> String? {
        guard let output else { return nil }
        let source = OutputSource(
            path: path, preset: choice.options.preset,
            secondsSince1970: Double(identity.modifiedNanoseconds) / 1e9)
        return "\(output)/\(try choice.name.path(for: source))"
    }
}
