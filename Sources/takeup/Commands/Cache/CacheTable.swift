/// The group of commands about the cache directory and its manifest.
enum CacheTable {
    static let specification = CommandSpecification(
        name: "cache",
        summary: "Show and keep the cache directory",
        details: """
            Results, and the sources that were fetched for them, stay in the cache until they \
            expire or its limits are reached; the limits hold for each of the two by itself.
            """,
        subcommands: [
            CacheListCommand.specification, CacheGetCommand.specification,
            CacheStatsCommand.specification, CachePinCommand.pinning,
            CachePinCommand.unpinning, CacheRemoveCommand.specification,
            CacheCleanCommand.specification, CacheVerifyCommand.specification,
            CacheCopyCommand.specification,
        ],
        examples: [
            .init(line: "ffprobe \"$(takeup cache get story-42)\"", effect: "use a result")
        ])

    static let ids = ArgumentSpecification(
        name: "ID", count: 1...10_000, help: "An entry's id; of a source also its address")
}
