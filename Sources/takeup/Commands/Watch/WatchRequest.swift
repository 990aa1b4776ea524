import Foundation
import TakeupDigest
import TakeupExport
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
    /// Absolute.
    let done: String
    let after: SourceAction.Kind?
    let settings: FolderSettings
    /// Holds for every job.
    let options: BatchOptions
    /// What `--exclude` says.
    private let excluded: IgnoreFile
    /// Of all that is to be made of a file; a change of it makes files new.
    let work: String
    private let name: OutputTemplate
    private let minBytes: Int64

    /// - Throws: With 66 for a folder that is not there, and 78 for what cannot be used.
    init(
        _ folder: String, _ watch: WatchOptions, _ options: BatchOptions,
        in context: CommandContext
    ) throws(Failure) {
        let path = context.absolute(folder)
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw .watch(.inputMissing, "there is no \(path)", hint: "make the folder, or mount it")
        }
        guard isFolder.boolValue else {
            throw .watch(.usage, "\(path) is no folder", hint: "one file is for 'takeup export'")
        }
        self.folder = Self.resolved(path)
        output = watch.output.map { Self.resolved(context.absolute($0)) }
        done = watch.done.map { Self.resolved(context.absolute($0)) } ?? "\(self.folder)/done"
        (after, settings, self.options) = (watch.after, watch.settings, options)
        minBytes = watch.minBytes
        do {
            let suffix = try ExportPreset.resolve(options.preset).fileExtension
            name = try watch.name ?? OutputTemplate("{folder}/{stem}.\(suffix)")
            excluded = try IgnoreFile(lines: watch.excluded, of: "--exclude")
            _ = try Self.ignoreFile(in: self.folder)
            let template = name.text
            work = try Self.work(options, output.map { "\($0)/\(template)" })
        } catch let error as WatchError {
            throw Failure(error)
        } catch let error as BatchFault {
            throw .watch(.usage, "\(error)", hint: error.hint ?? "check the options")
        } catch {
            throw .unexpected(error)
        }
    }

    /// What the folder's `.takeupignore` says now.
    ///
    /// - Throws: `WatchError` when there is one that cannot be read: then nothing may be taken.
    static func ignoreFile(in folder: String) throws(WatchError) -> IgnoreFile {
        let path = "\(folder)/\(IgnoreFile.name)"
        let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT { return IgnoreFile() }
            throw .failed(path: path, errno: errno)
        }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: IgnoreFile.mostBytes + 1)
        var count = 0
        while count < bytes.count {
            let room = bytes.count - count
            let read = bytes.withUnsafeMutableBytes { buffer in
                Foundation.read(file, buffer.baseAddress?.advanced(by: count), room)
            }
            if read < 0, errno == EINTR { continue }
            guard read >= 0 else { throw .failed(path: path, errno: errno) }
            if read == 0 { break }
            count += read
        }
        return try IgnoreFile(String(decoding: bytes.prefix(count), as: UTF8.self))
    }

    /// The path as the kernel sees it, as far as it is there.
    private static func resolved(_ path: String) -> String {
        var (path, tail) = (path, "")
        while path != "/", !path.isEmpty {
            if let real = realpath(path, nil) {
                defer { free(real) }
                let text = String(cString: real)
                return tail.isEmpty ? text : "\(text == "/" ? "" : text)\(tail)"
            }
            let name = path.split(separator: "/").last ?? ""
            tail = "/\(name)\(tail)"
            path = path.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
        }
        return tail.isEmpty ? "/" : tail
    }

    private static func work(_ options: BatchOptions, _ output: String?) throws -> String {
        var job = SingleJob(sources: ["/source"], folder: "/")
        // With its suffix looked at.
        job.output = output
        var spec = try job.spec(options)
        (spec.id, spec.output, spec.priority, spec.retries) = (JobID(rawValue: ""), output, 0, 0)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let text = String(decoding: try encoder.encode(spec), as: UTF8.self)
        return String(try SHA256Digest.of(text).prefix(32))
    }

    /// Refuses folders that lie in each other's way.
    ///
    /// - Throws: With 78: an output below a watched folder would be taken for a source.
    static func check(
        _ requests: [WatchRequest], home: String, cache: String
    ) throws(Failure) {
        for (number, request) in requests.enumerated() {
            for other in requests[..<number]
            where isInside(request.folder, other.folder) || isInside(other.folder, request.folder) {
                throw .watch(
                    .configuration, "\(request.folder) and \(other.folder) lie in each other",
                    hint: "watch the outer one alone")
            }
            for (path, name) in [
                (request.output, "the output folder"), (home, "the folder of the database"),
                (cache, "the cache"),
            ] {
                guard let path, isInside(resolved(path), request.folder) else { continue }
                throw .watch(
                    .configuration, "\(name) \(path) lies in the watched folder \(request.folder)",
                    hint: "outputs there would be taken for sources: choose a folder outside")
            }
            if let output = request.output, isInside(request.folder, output) {
                throw .watch(
                    .configuration,
                    "the watched folder \(request.folder) lies in the output folder",
                    hint: "outputs could land among the sources: choose a folder beside it")
            }
            try checkSources(request)
            if request.after == .move, request.folder == request.done {
                throw .watch(
                    .configuration, "--done is the watched folder itself",
                    hint: "choose another folder")
            }
        }
    }

    /// Refuses to let sources go for outputs that may go, too.
    private static func checkSources(_ request: WatchRequest) throws(Failure) {
        guard let after = request.after else { return }
        if request.output == nil, after != .replace {
            throw .watch(
                .usage, "--after \(after.rawValue) needs --output",
                hint: "the cache forgets results in time, and the source would be gone")
        }
        if request.options.overwrite == .replace {
            throw .watch(
                .usage, "--after \(after.rawValue) does not go with --overwrite replace",
                hint: "one output could take another one's place, with both sources gone")
        }
    }

    private static func isInside(_ path: String, _ folder: String) -> Bool {
        path == folder || path.hasPrefix(folder == "/" ? "/" : "\(folder)/")
    }

    /// Why a name is passed over; nil for one that is taken, or entered.
    func reasonToPassOver(_ entry: ScanEntry, _ ignored: IgnoreFile) -> String? {
        if entry.isFolder {
            if after == .move, "\(folder)/\(entry.path)" == done { return "what is done" }
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

    /// What is to be made of a file that is whole.
    func wish(for mark: FileMark) -> WatchDuties.Wish {
        mark.identity.bytes >= minBytes
            ? .work(work) : .skip("it is smaller than \(ByteSize(bytes: minBytes))")
    }

    /// The job for a file that is whole; the same file gives the same one.
    func spec(for file: WatchedFile) throws -> JobSpec {
        var job = SingleJob(sources: ["\(folder)/\(file.path)"], folder: folder)
        let key = [folder, file.path, file.fingerprint, file.work].joined(separator: "\n")
        job.id = "watch-\(try SHA256Digest.of(key).prefix(24))"
        if let output {
            let source = OutputSource(
                path: file.path, preset: options.preset,
                secondsSince1970: Double(file.identity.modifiedNanoseconds) / 1e9)
            job.output = "\(output)/\(try name.path(for: source))"
        }
        return try job.spec(options)
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
        case .failed(let path, let code):
            self = .watch(
                .inputOutput, "cannot read \(path): \(String(cString: strerror(code)))",
                hint: "check the folder and its disk")
        case .watchLimit(let path):
            self = .watch(
                .inputOutput, "the system watches no more folders: \(path)",
                hint: "raise fs.inotify.max_user_watches, or use --changes polling")
        case .unavailable(let path, let reason):
            self = .watch(.inputMissing, "\(path) is not there: \(reason)", hint: "mount it")
        case .file(let error):
            self = .watch(.inputOutput, error.reason, hint: "check the disk")
        case .store(let error): self.init(error, database: "the database")
        case .unreadable(let setting, let reason):
            self = .watch(
                .configuration, "\(setting) cannot be used: \(reason)", hint: "put it right")
        }
    }
}
