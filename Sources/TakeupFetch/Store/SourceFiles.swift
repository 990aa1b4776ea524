/// The open journal and data file of a source, and the journal's content.
struct SourceFiles {
    /// Size limit of a journal, in bytes; a journal is read into memory as a whole.
    private static let mostJournalBytes: Int64 = 1 << 30
    private static let mostTries = 64

    var journal: StoredFile
    var data: StoredFile
    var content: JournalContent

    /// - Returns: nil if the files are missing or the journal has another format.
    static func open(_ folder: StoreFolder, forWriting: Bool) throws(FetchError) -> SourceFiles? {
        let access: StoreFolder.Access = forWriting ? .writing : .reading
        for _ in 0..<mostTries {
            guard let journal = try folder.file(SourceLayout.journal, access),
                let facts = journal.facts, facts.bytes <= mostJournalBytes,
                var content = JournalContent(try journal.read(Int(facts.bytes), at: 0))
            else { return nil }
            let name = SourceLayout.data(content.header.generation)
            guard let data = try folder.file(name, access) else {
                // The data file is missing permanently, unless another generation has begun since.
                let named = try folder.facts(SourceLayout.journal)
                guard let named, !named.isSameFile(as: facts) else { return nil }
                continue
            }
            content.map.cut(to: data.facts?.bytes ?? 0)
            return SourceFiles(journal: journal, data: data, content: content)
        }
        return nil
    }

    /// Creates an empty generation and switches the journal to it; the previous bytes are then
    /// gone.
    ///
    /// If this fails, nothing has changed.
    static func begin(
        _ folder: StoreFolder, _ header: JournalHeader
    ) throws(FetchError) -> SourceFiles {
        let name = SourceLayout.data(header.generation)
        do throws(FetchError) {
            try folder.unlink(name)
            let data = try folder.file(name, .making)
            // The data file's name must be on disk before a journal refers to it.
            try folder.synchronize()
            try folder.replace(SourceLayout.journal, with: header.bytes)
            guard let data, let journal = try folder.file(SourceLayout.journal, .writing),
                let content = JournalContent(header.bytes)
            else { throw .storage(path: folder.path, errno: 2) }
            try removeOthers(folder, but: name)
            return SourceFiles(journal: journal, data: data, content: content)
        } catch {
            if let named = try? SourceFiles.open(folder, forWriting: false),
                named.content.header.generation == header.generation
            {
                throw error
            }
            try? folder.unlink(name)
            throw error
        }
    }

    /// Removes the data files of other generations.
    static func removeOthers(_ folder: StoreFolder, but name: String) throws(FetchError) {
        for other in try folder.names()
        where other != name && SourceLayout.isData(other) {
            try folder.unlink(other)
        }
    }
}
