extension Manifest {
    /// Drops the rows that name a file which is missing or of another size than they say.
    ///
    /// Nobody gives the file its name meanwhile, so that no row is dropped whose file has just come.
    ///
    /// - Returns: How many there were.
    func dropRows(
        of object: ObjectName, in directory: CacheDirectory
    ) throws(CacheError) -> Int {
        try directory.withShard(object.shard) { (folder) throws(CacheError) in
            let facts = try folder.facts(object.fileName)
            let bytes = facts?.isRegular == true ? facts?.bytes : nil
            return try dropRows(of: object, differing: bytes)
        }
    }
}
