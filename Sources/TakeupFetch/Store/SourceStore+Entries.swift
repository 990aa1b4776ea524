internal import Foundation
internal import TakeupFiles

extension SourceStore {
    private static let mostEntryBytes: Int64 = 1 << 20

    /// Lists all sources, in no particular order.
    ///
    /// - Throws: `FetchError.storage`.
    public func list() throws(FetchError) -> [SourceSummary] {
        try requirePlace()
        var sources: [SourceSummary] = []
        for shard in try root.names() where SourceKey.isShard(shard) {
            guard try root.facts(shard)?.isFolder == true,
                let folder = try root.existingFolder(shard)
            else { continue }
            for name in try folder.names() {
                guard let key = SourceKey(name), key.shard == shard,
                    let source = try summary(key)
                else { continue }
                sources.append(source)
            }
        }
        return sources
    }

    /// Returns a summary of a source.
    ///
    /// - Returns: nil if the source does not exist or cannot be read.
    public func summary(_ key: SourceKey) throws(FetchError) -> SourceSummary? {
        try requirePlace()
        guard let shard = try root.existingFolder(key.shard),
            try shard.facts(key.description)?.isFolder == true,
            let folder = try shard.existingFolder(key.description),
            let entry = try entry(folder),
            let content = try SourceFiles.open(folder, forWriting: false)?.content
        else { return nil }
        let isInUse = try !folder.lock(.exclusive)
        if !isInUse { FileLock.release(folder.descriptor) }
        var version = content.header.version
        version?.length = content.map.length
        var diskBytes: Int64 = 0
        for name in try folder.names() { diskBytes += try folder.facts(name)?.diskBytes ?? 0 }
        return SourceSummary(
            key: key, entry: entry, version: version, presentBytes: content.map.notedBytes,
            diskBytes: diskBytes, isInUse: isInUse)
    }

    /// Pins a source, which protects it from eviction, or unpins it.
    ///
    /// - Returns: `false` if the source does not exist.
    /// - Throws: `FetchError.storage`.
    public func setPinned(_ isPinned: Bool, _ key: SourceKey) throws(FetchError) -> Bool {
        try change(key) { $0.isPinned = isPinned }
    }

    /// Records that a source was used now.
    ///
    /// - Returns: `false` if the source does not exist.
    /// - Throws: `FetchError.storage`.
    public func touch(_ key: SourceKey) throws(FetchError) -> Bool {
        let now = clock()
        return try change(key) { $0.lastUsedAt = now }
    }

    /// Records a use from time to time; ignores a full disk, because reading is still possible.
    func noteUse(_ folder: StoreFolder, address: String) throws(FetchError) {
        do throws(FetchError) {
            try touch(folder, address: address)
        } catch {
            guard error.isDiskFull else { throw error }
        }
    }

    private func touch(_ folder: StoreFolder, address: String) throws(FetchError) {
        let now = clock()
        if let entry = try entry(folder), !entry.address.isEmpty,
            abs(now - entry.lastUsedAt) < Self.touchSeconds
        {
            return
        }
        try change(folder) { entry in
            entry.lastUsedAt = now
            if entry.address.isEmpty { entry.address = address }
        }
    }

    func change(
        _ key: SourceKey, _ body: (inout SourceEntry) -> Void
    ) throws(FetchError) -> Bool {
        guard let folder = try hold(key) else { return false }
        try change(folder, body)
        return true
    }

    private func change(
        _ folder: StoreFolder, _ body: (inout SourceEntry) -> Void
    ) throws(FetchError) {
        // Serialize short changes with a lock. Open the folder again, because threads must not
        // share a lock.
        let turn = try root.folder("staging")
        do throws(FileError) {
            try FileLock.wait(for: .exclusive, on: turn.descriptor)
        } catch {
            throw .storage(turn.path, error)
        }
        defer { withExtendedLifetime(turn) {} }
        guard var entry = try entry(folder) else { return }
        let before = entry
        body(&entry)
        if entry != before { try write(entry, folder) }
    }

    /// - Returns: nil without a journal; an entry without an address if only the entry file is
    ///   lost.
    func entry(_ folder: StoreFolder) throws(FetchError) -> SourceEntry? {
        if let file = try folder.file(SourceLayout.entry, .reading),
            let bytes = file.facts?.bytes, bytes <= Self.mostEntryBytes
        {
            let text = Data(try file.read(Int(bytes), at: 0))
            if let entry = try? JSONDecoder().decode(SourceEntry.self, from: text) { return entry }
        }
        guard let files = try SourceFiles.open(folder, forWriting: false) else { return nil }
        return SourceEntry(address: "", createdAt: files.content.header.createdAt)
    }

    func write(_ entry: SourceEntry, _ folder: StoreFolder) throws(FetchError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let text = try? encoder.encode(entry) else {
            throw .storage(path: "\(folder.path)/\(SourceLayout.entry)", errno: EINVAL)
        }
        try folder.replace(SourceLayout.entry, with: Array(text))
    }
}
