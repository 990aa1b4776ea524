internal import Foundation
public import TakeupFiles
internal import TakeupSQL
internal import TakeupSQLite

extension WatchLedger {
    static let fileColumns =
        "folder, path, device, inode, bytes, modified_ns, changed_ns, fingerprint, work, state, job, reason, facts, again, acted"

    /// Every file of a folder that has its name still, as far as anybody knows.
    public func files(in folder: String) throws(WatchError) -> [WatchedFile] {
        try select("folder = ?1 AND gone_at IS NULL ORDER BY path", [.text(folder)])
    }

    /// What is needed of every file of a folder to tell whether it has changed, in little room.
    ///
    /// - Returns: Those that have their names still, in no order.
    func sketches(in folder: String) throws(WatchError) -> [FileSketch] {
        try use { (connection) throws(SQLError) in
            var works: [String: String] = [:]
            return try connection.query(
                """
                SELECT path, device, inode, bytes, modified_ns, changed_ns, work, facts IS NULL
                    FROM watch_file WHERE folder = ?1 AND gone_at IS NULL
                """, [.text(folder)]
            ) { row in
                // Few different ones: each is kept once.
                let work = row.text(6)
                let known = works[work] ?? work
                works[work] = known
                return FileSketch(
                    path: row.text(0), identity: FileIdentity(row, from: 1), work: known,
                    hasFacts: row.integer(7) == 0)
            }
        }
    }

    /// - Returns: nil for one that has not settled yet, or whose name is gone.
    public func file(_ path: String, in folder: String) throws(WatchError) -> WatchedFile? {
        try select(
            "folder = ?1 AND path = ?2 AND gone_at IS NULL", [.text(folder), .text(path)]
        ).first
    }

    /// What became of the file that had a name last, if it is gone too.
    public func lastFile(_ path: String, in folder: String) throws(WatchError) -> WatchedFile? {
        try select("folder = ?1 AND path = ?2", [.text(folder), .text(path)]).first
    }

    /// Every file of a folder that had this content, those whose names are gone too; the latest one first.
    public func files(
        holding fingerprint: String, in folder: String
    ) throws(WatchError) -> [WatchedFile] {
        try select(
            "folder = ?1 AND fingerprint = ?2 ORDER BY updated_at DESC, path",
            [.text(folder), .text(fingerprint)])
    }

    /// Every file of a folder that had these bytes at this place on the disk, under whatever name; the latest one first.
    ///
    /// A move within a disk changes none of that. Disks have other numbers after a restart; an inode does not.
    public func files(
        like identity: FileIdentity, in folder: String
    ) throws(WatchError) -> [WatchedFile] {
        try select(
            """
            folder = ?1 AND inode = ?2 AND bytes = ?3 AND modified_ns = ?4
            ORDER BY updated_at DESC, path
            """,
            [
                .text(folder), .integer(identity.inode), .integer(identity.bytes),
                .integer(identity.modifiedNanoseconds),
            ])
    }

    /// The file of a folder that a job was made of last, under the name that it has now.
    public func file(ofJob job: String, in folder: String) throws(WatchError) -> WatchedFile? {
        try select("folder = ?1 AND job = ?2", [.text(folder), .text(job)]).first
    }

    /// All that was ever to be made of files of a folder, each once.
    public func works(in folder: String) throws(WatchError) -> [String] {
        try use { (connection) throws(SQLError) in
            try connection.query(
                "SELECT DISTINCT work FROM watch_file WHERE folder = ?1 ORDER BY work",
                [.text(folder)]
            ) { $0.text(0) }
        }
    }

    /// The files of a folder whose jobs have not ended yet.
    public func handed(in folder: String) throws(WatchError) -> [WatchedFile] {
        try select(
            "state = 'handed' AND folder = ?1 ORDER BY updated_at, path", [.text(folder)],
            by: "watch_file_handed")
    }

    /// The files of a folder that still have their names and of which nothing came.
    public func failed(in folder: String) throws(WatchError) -> [WatchedFile] {
        try select(
            "folder = ?1 AND state = 'failed' AND gone_at IS NULL ORDER BY path", [.text(folder)],
            by: "watch_file_failed")
    }

    /// Notes what became of a file, in place of what was known of its name, and whom to tell, in one step.
    public func record(
        _ file: WatchedFile, telling notices: [OutboxEntry] = []
    ) throws(WatchError) {
        try change { (connection) throws(SQLError) in
            try write(file, connection)
            try write(notices, connection)
        }
    }

    /// Notes that a file has another name now; what was known of that name is forgotten.
    ///
    /// - Parameters:
    ///   - file: As it is known.
    ///   - path: Where it lies now.
    ///   - identity: Of the same content there.
    /// - Throws: `WatchError.store`.
    public func move(
        _ file: WatchedFile, to path: String, identity: FileIdentity
    ) throws(WatchError) {
        var moved = file
        (moved.path, moved.identity) = (path, identity)
        try change { (connection) throws(SQLError) in
            try connection.run(
                "DELETE FROM watch_file WHERE folder = ?1 AND path = ?2",
                [.text(file.folder), .text(file.path)])
            try write(moved, connection)
            try move(actionOf: file, to: moved, connection)
        }
    }

    /// Notes that nothing has these names any more; their content stays known for a while.
    public func markGone(_ paths: [String], in folder: String) throws(WatchError) {
        try change { (connection) throws(SQLError) in
            for path in paths {
                try connection.run(
                    """
                    UPDATE watch_file SET gone_at = ?3
                        WHERE folder = ?1 AND path = ?2 AND gone_at IS NULL
                    """, [.text(folder), .text(path), .real(now())])
            }
        }
    }

    /// Forgets a file: it is new when it is seen again.
    public func forget(_ file: WatchedFile) throws(WatchError) {
        _ = try change { (connection) throws(SQLError) in
            try connection.run(
                "DELETE FROM watch_file WHERE folder = ?1 AND path = ?2",
                [.text(file.folder), .text(file.path)])
        }
    }

    /// Forgets files whose names have been gone for so long, but for those that jobs work on.
    ///
    /// - Returns: How many.
    @discardableResult
    public func prune(goneForSeconds seconds: Double) throws(WatchError) -> Int {
        try change { (connection) throws(SQLError) in
            // Whose source nobody has found again has nothing to be done with it.
            try connection.run(
                """
                DELETE FROM watch_action WHERE due_at >= ?2 AND EXISTS (
                    SELECT 1 FROM watch_file AS file WHERE file.folder = watch_action.folder
                        AND file.path = watch_action.path AND file.gone_at < ?1)
                """, [.real(now() - seconds), .real(Self.parkedAt)])
            return try connection.run(
                "DELETE FROM watch_file WHERE gone_at < ?1 AND state <> 'handed'",
                [.real(now() - seconds)])
        }
    }

    func write(_ file: WatchedFile, _ connection: SQLiteConnection) throws(SQLError) {
        // What begins anew has nothing to be done from before.
        if file.state == .handed { try dropAction(of: file, connection) }
        let places = (1...16).map { "?\($0)" }.joined(separator: ", ")
        try connection.run(
            "INSERT OR REPLACE INTO watch_file (\(Self.fileColumns), updated_at) VALUES (\(places))",
            [.text(file.folder), .text(file.path)] + file.identity.values + [
                .text(file.fingerprint), .text(file.work), .text(file.state.rawValue),
                .text(file.job), .text(file.reason), .text(Self.text(file.facts)),
                .integer(Int64(file.again)), .text(file.acted?.rawValue), .real(now()),
            ])
    }

    /// What nobody can read again is found out again.
    private static func text(_ facts: FileFacts?) -> String? {
        facts.flatMap { try? JSONEncoder().encode($0) }.map { String(decoding: $0, as: UTF8.self) }
    }

    private func select(
        _ condition: String, _ values: [SQLValue], by index: String? = nil
    ) throws(WatchError) -> [WatchedFile] {
        // Left to itself SQLite walks through a whole folder for the few rows that it asks for each second.
        let table = "watch_file" + (index.map { " INDEXED BY \($0)" } ?? "")
        return try use { (connection) throws(SQLError) in
            try connection.query(
                "SELECT \(Self.fileColumns) FROM \(table) WHERE \(condition)", values
            ) { WatchedFile($0) }
        }
    }
}

extension WatchedFile {
    fileprivate init(_ row: any SQLRow) {
        self.init(
            folder: row.text(0), path: row.text(1), identity: FileIdentity(row, from: 2),
            fingerprint: row.text(7), work: row.text(8))
        state = State(rawValue: row.text(9)) ?? .failed
        (job, reason) = (row.optionalText(10), row.optionalText(11))
        facts = row.optionalText(12).flatMap {
            try? JSONDecoder().decode(FileFacts.self, from: Data($0.utf8))
        }
        again = Int(row.integer(13))
        acted = row.optionalText(14).flatMap { SourceAction.Kind(rawValue: $0) }
    }
}

extension FileIdentity {
    var values: [SQLValue] {
        [
            .integer(device), .integer(inode), .integer(bytes), .integer(modifiedNanoseconds),
            .integer(changedNanoseconds),
        ]
    }

    /// Reads a value from five columns of a row.
    init(_ row: any SQLRow, from column: Int) {
        self.init(
            device: row.integer(column), inode: row.integer(column + 1),
            bytes: row.integer(column + 2), modifiedNanoseconds: row.integer(column + 3),
            changedNanoseconds: row.integer(column + 4))
    }
}
