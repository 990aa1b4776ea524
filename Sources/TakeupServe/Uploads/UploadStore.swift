internal import Foundation
internal import TakeupDigest
internal import TakeupFiles
internal import TakeupIntake
internal import TakeupJobs
internal import TakeupLanes
internal import TakeupModel

/// The files that clients have sent, a folder each: half ones under a hidden name, whole ones under their own.
///
/// All that is known of an upload is on the disk, so that a restart loses none.
final class UploadStore: Sendable {
    /// Seconds without a byte after which an unfinished upload goes.
    static let partialSeconds = 86_400.0
    /// Seconds without a use after which a finished one goes.
    static let finishedSeconds = 172_800.0
    private static let most = 10_000
    static let partialName = ".partial"
    static let factsName = ".upload.json"

    /// Absolute.
    let folder: String
    /// The folder as jobs name it: without links.
    let realFolder: String
    /// What clients read in place of paths.
    let paths: UploadPaths
    /// Of one upload.
    let mostBytes: Int64
    private let kept: KeptFolder
    private let minFreeBytes: Int64
    let wallClock: @Sendable () -> Double
    /// Shared by who makes jobs of uploads, so that no upload goes between the look for its jobs and its end.
    let claims = SharedLock()
    /// Those that were written to since the start.
    private let sessions = Locked<[String: UploadSession]>([:])

    init(
        folder: String, mostBytes: Int64, minFreeBytes: Int64,
        wallClock: @escaping @Sendable () -> Double
    ) {
        (self.folder, self.mostBytes, kept) = (folder, mostBytes, KeptFolder(folder))
        (realFolder, paths) = (Folder.resolved(folder), UploadPaths(folder: folder))
        (self.minFreeBytes, self.wallClock) = (minFreeBytes, wallClock)
    }

    /// - Throws: With 503 where the folder that the server has open is not at its place.
    func requirePlace() throws(Refusal) { try kept.requirePlace() }

    func path(of id: String) -> String { "\(folder)/\(id)" }

    // MARK: - Beginning

    /// Makes an empty upload.
    ///
    /// - Parameters:
    ///   - name: As the client gives it.
    ///   - length: Bytes; nil where the client does not say.
    ///   - metadata: What HEAD gives back; nil for none.
    /// - Returns: Durable, without a byte.
    /// - Throws: With 413 for one that is too large, 507 without room for it.
    func create(
        _ name: String, length: Int64?, metadata: String? = nil
    ) throws(Refusal) -> StoredUpload {
        if let length, length > mostBytes { throw tooLarge }
        try requireRoom(for: length ?? 0)
        guard try ids().count < Self.most else {
            throw Refusal(
                503,
                .request(
                    "tooManyUploads", "the server holds as many uploads as it may",
                    hint: "remove some, or wait until they expire",
                    Failure.Ending(.temporary, .retry)))
        }
        let id = (0..<2).map { _ in Self.digits(UInt64.random(in: 0 ... .max)) }.joined()
        let upload = Upload(
            id: id, name: UploadName.safe(name), length: length, createdAt: wallClock(),
            sha256: nil, metadata: metadata)
        do throws(FileError) {
            try PrivateFolder.make(path(of: id))
            let partial = open(
                "\(path(of: id))/\(Self.partialName)",
                O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard partial >= 0 else { throw .creating(path(of: id), errno) }
            close(partial)
            try note(upload)
        } catch {
            removeRefused(id, upload.name)
            throw Refusal(error)
        }
        do throws(Refusal) {
            guard let stored = try find(id) else { throw .noUpload(id) }
            return stored
        } catch {
            removeRefused(id, upload.name)
            throw error
        }
    }

    private static func digits(_ number: UInt64) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: 16 - text.count) + text
    }

    var tooLarge: Refusal {
        Refusal(
            413,
            .request(
                "uploadTooLarge", "an upload may have at most \(mostBytes) bytes",
                hint: "send a smaller file, or let the server take it from an address"))
    }

    /// - Throws: With 507 where so many bytes would leave too little to others.
    func requireRoom(for bytes: Int64) throws(Refusal) {
        guard let free = FreeSpace.usable(at: folder) else { return }
        guard free - minFreeBytes >= bytes else { throw .diskFull }
    }

    // MARK: - What is there

    /// - Throws: With 503 where they cannot be listed.
    func ids() throws(Refusal) -> [String] {
        try requirePlace()
        let names = try Refusal.reading { () throws(FileError) in try Folder.names(in: folder) }
        return (names ?? []).filter { UploadName.isID($0) }
    }

    /// Oldest first.
    func all() throws(Refusal) -> [StoredUpload] {
        var found: [StoredUpload] = []
        for id in try ids() {
            if let stored = try find(id) { found.append(stored) }
        }
        return found.sorted {
            ($0.upload.createdAt, $0.upload.id) < ($1.upload.createdAt, $1.upload.id)
        }
    }

    /// - Returns: nil for one that is not there.
    /// - Throws: With 503 where that cannot be told now.
    func find(_ id: String) throws(Refusal) -> StoredUpload? {
        if let stored = try lookUp(id) { return stored }
        try requirePlace()
        return nil
    }

    private func lookUp(_ id: String) throws(Refusal) -> StoredUpload? {
        guard UploadName.isID(id) else { return nil }
        let noted = try Refusal.reading { () throws(FileError) in
            try Folder.bytes(of: "\(path(of: id))/\(Self.factsName)", most: 1 << 20)
        }
        guard let noted,
            var upload = try? JSONDecoder().decode(Upload.self, from: Data(noted))
        else { return nil }
        var facts = stat()
        if try isThere("\(path(of: id))/\(Self.partialName)", &facts) {
            let used = Double(facts.st_mtim.tv_sec)
            upload.sha256 = nil
            return StoredUpload(
                upload: upload, offset: min(Int64(facts.st_size), upload.heldFrom ?? .max),
                expiresAt: used + Self.partialSeconds)
        }
        let whole = "\(path(of: id))/\(upload.name)"
        guard try isThere(whole, &facts) else { return nil }
        if upload.sha256 == nil { upload = try hashed(upload, whole) }
        var used = stat()
        _ = lstat("\(path(of: id))/\(Self.factsName)", &used)
        return StoredUpload(
            upload: upload, offset: Int64(facts.st_size),
            expiresAt: Double(used.st_mtim.tv_sec) + Self.finishedSeconds)
    }

    private func isThere(_ path: String, _ facts: inout stat) throws(Refusal) -> Bool {
        guard lstat(path, &facts) != 0 else { return true }
        guard errno == ENOENT else { throw Refusal(reading: .failed(path, errno: errno)) }
        return false
    }

    /// Notes the digest of one that was named just before a crash.
    private func hashed(_ upload: Upload, _ path: String) throws(Refusal) -> Upload {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { throw Refusal(reading: .failed(path, errno: errno)) }
        defer { close(file) }
        guard let sum = try? SHA256Digest.ofFile(file, isStopped: { false }) else {
            throw Refusal(reading: .failed(path, errno: EIO))
        }
        var upload = upload
        upload.sha256 = sum
        try? note(upload)
        return upload
    }

    /// What is there of an upload; one whose bytes are all there is completed first, for a crash may have come before that.
    func settled(_ id: String) throws(Refusal) -> StoredUpload? {
        guard let stored = try find(id), stored.isReady else { return try find(id) }
        let settled = try session(of: id).settle(id)
        if settled?.upload.isComplete ?? true { end(id) }
        return settled
    }

    /// Writes what is known of an upload, in one step.
    func note(_ upload: Upload) throws(FileError) {
        guard let bytes = try? JSONEncoder().encode(upload) else { return }
        let partial = try PartialFile(
            for: "\(path(of: upload.id))/\(Self.factsName)", mode: 0o600)
        try partial.write(Array(bytes))
        try partial.synchronize()
        _ = try partial.publish(.replace)
    }

    // MARK: - Writing

    /// What an upload's bytes go through.
    func session(of id: String) -> UploadSession {
        sessions.withLock { sessions in
            if let session = sessions[id] { return session }
            let session = UploadSession(self)
            sessions[id] = session
            return session
        }
    }

    /// Forgets what is only needed while bytes come.
    func end(_ id: String) { sessions.withLock { $0[id] = nil } }
}

extension Refusal {
    static var uploadInUse: Refusal {
        Refusal(
            409,
            .request(
                "uploadInUse", "a job that has not ended needs this upload",
                hint: "wait for the job, or cancel it", .outputNotCreated))
    }

    static func noUpload(_ id: String) -> Refusal {
        .notFound(
            "upload '\(id.prefix(64))'", hint: "it was removed, has expired, or never was there")
    }
}
