import Foundation
import TakeupDigest
import TakeupModel
import TakeupFiles
import TakeupIntake
import TakeupJobs
import TakeupWatch

/// One folder that is to be watched, and what is to be made of its files.
struct WatchRequest: Sendable {
    /// Absolute, symbolic links resolved, without a slash at the end.
    let folder: String
    /// Absolute; nil for the cache alone.
    let output: String?
    /// Absolute; used where sources are moved.
    let done: String
    /// Absolute; used where sources of failed jobs are moved.
    let failed: String
    let settings: FolderSettings
    /// Holds where no settings file inside the folder says otherwise.
    let treatment: FileTreatment
    /// What `--exclude` says.
    private let excluded: IgnoreFile

    /// - Parameters:
    ///   - folder: As it was given.
    ///   - input: With settings of every option of `WatchCommand.folderOptions`.
    ///   - rules: Of the configuration.
    ///   - mayBeMissing: Whether its disk may be mounted later.
    ///   - context: Where relative paths start.
    /// - Throws: With 66 for a folder that is not there, and 78 for what cannot be used.
    init(
        _ folder: String, _ input: CommandInput, _ rules: [WatchRule], mayBeMissing: Bool,
        in context: CommandContext
    ) throws(Failure) {
        let path = context.absolute(folder)
        try Self.check(path, mayBeMissing: mayBeMissing)
        let watch: WatchOptions
        do throws(UsageError) { watch = try WatchOptions(input) } catch { throw Failure(error) }
        self.folder = Folder.resolved(path)
        output = watch.output.map { Folder.resolved(context.absolute($0)) }
        done =
            watch.done.map { Folder.resolved(context.absolute($0)) }
            ?? "\(self.folder)/\(Self.doneName)"
        failed =
            watch.failed.map { Folder.resolved(context.absolute($0)) }
            ?? "\(self.folder)/\(Self.failedName)"
        if let output {
            try Self.checkIsFolder(output, hint: "outputs go into a folder: name another")
        }
        settings = watch.settings
        treatment = try FileTreatment(input, rules, in: context)
        do {
            excluded = try IgnoreFile(lines: watch.excluded, of: "--exclude")
            try checkName(in: context)
        } catch let error as BatchFault {
            throw .watch(.usage, "\(error)", hint: error.hint ?? "check the options")
        } catch {
            throw Failure(of: error)
        }
    }

    private static func check(_ path: String, mayBeMissing: Bool) throws(Failure) {
        guard mayBeMissing || FileManager.default.fileExists(atPath: path) else {
            throw .watch(.inputMissing, "there is no \(path)", hint: "make the folder, or mount it")
        }
        try checkIsFolder(path, hint: "one file is for 'takeup export'")
    }

    private static func checkIsFolder(_ path: String, hint: String) throws(Failure) {
        var isFolder: ObjCBool = true
        guard
            !FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
                || isFolder.boolValue
        else { throw .watch(.usage, "\(path) is no folder", hint: hint) }
    }

    /// A name that no output can have is known before the first file is.
    private func checkName(in context: CommandContext) throws {
        _ = try FileChoice(treatment, FileFacts(path: "source"), in: context).work(output: output)
    }

    /// What the folder's `.takeupignore` says now.
    ///
    /// - Throws: `WatchError` when there is one that cannot be read: then nothing may be taken.
    static func ignoreFile(in folder: String) throws(WatchError) -> IgnoreFile {
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
    func reasonToPassOver(
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
    func spec(
        for file: WatchedFile, _ choice: FileChoice, trial: Bool, replacing output: String? = nil
    ) throws -> JobSpec {
        // The worker follows no links: where the folder lies now.
        var job = SingleJob(
            sources: ["\(Folder.resolved(folder))/\(file.path)"], folder: folder)
        job.id = try jobID(of: file, trial: trial)
        if !trial { job.output = try output ?? self.output(of: file.path, file.identity, choice) }
        var options = choice.options
        if output != nil { options.settings.overwrite = .replace }
        var spec = try job.spec(options)
        // Whoever may write there could put a link in a folder's place until the job's turn comes.
        spec.followsLinks = false
        // The folder's ledger notices by itself what becomes of its files.
        spec.onReplaced = .accept
        if spec.request.output != nil, choice.treatment.keepsTraits { spec.attributes = .source }
        return spec
    }

    /// The same for the same file, under the same name.
    func jobID(of file: WatchedFile, trial: Bool) throws -> String {
        var keys = [folder, file.path, file.fingerprint, file.work]
        if file.again > 0 { keys.append("again \(file.again)") }
        let key = try SHA256Digest.of(keys.joined(separator: "\n")).prefix(24)
        return "\(trial ? Self.trialPrefix : "watch")-\(key)"
    }

    /// What ids of jobs begin with whose results are compared with their sources first.
    static let trialPrefix = "trial"

    /// nil for the cache alone.
    func output(
        of path: String, _ identity: FileIdentity, _ choice: FileChoice
    ) throws -> String? {
        guard let output else { return nil }
        let source = OutputSource(
            path: path, preset: choice.options.preset,
            secondsSince1970: Double(identity.modifiedNanoseconds) / 1e9)
        return "\(output)/\(try choice.name.path(for: source))"
    }
}

extension Failure {
    static func watch(_ exitCode: ExitCode, _ message: String, hint: String) -> Failure {
        Failure(
            exitCode: exitCode, code: exitCode == .inputMissing ? "inputMissing" : "watchRefused",
            stage: "request", message: message, hint: hint)
    }

    /// Says why a folder cannot be watched; total over its cases.
    init(_ error: WatchError) {
        switch error {
        case .failed:
            self = .watch(.inputOutput, "\(error)", hint: "check the folder and its disk")
        case .watchLimit:
            self = .watch(
                .inputOutput, "\(error)",
                hint: "raise fs.inotify.max_user_watches, or use --changes polling")
        case .unavailable:
            self = .watch(.inputMissing, "\(error)", hint: "make it, or mount its disk")
        case .file: self = .watch(.inputOutput, "\(error)", hint: "check the disk")
        case .store(let error): self.init(error, database: "the database")
        case .unreadable: self = .watch(.configuration, "\(error)", hint: "put it right")
        }
    }
}
