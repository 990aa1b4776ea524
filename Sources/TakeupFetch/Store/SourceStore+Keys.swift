extension SourceStore {
    /// Returns the keys of stored sources in order, without a look into any of them.
    package func keys(after last: SourceKey?, limit: Int) throws(FetchError) -> [SourceKey] {
        try requirePlace()
        var keys: [SourceKey] = []
        let shards = try root.names().filter(SourceKey.isShard).sorted()
        for shard in shards where keys.count < limit && shard >= last?.shard ?? "" {
            guard try root.facts(shard)?.isFolder == true,
                let folder = try root.existingFolder(shard)
            else { continue }
            let names = try folder.names().sorted()
            keys += names.compactMap { SourceKey($0) }.filter { key in
                key.shard == shard && last.map { $0.description < key.description } ?? true
            }
        }
        return Array(keys.prefix(limit))
    }
}
