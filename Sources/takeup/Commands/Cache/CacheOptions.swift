/// What every command on the cache is told: where it is and what it may grow to.
struct CacheOptions: Sendable, Equatable {
    private let state: StateOptions
    private let limits: CacheLimitOptions

    init(_ input: CommandInput) throws(UsageError) {
        state = StateOptions(input)
        limits = try CacheLimitOptions(input)
    }

    func open(in context: CommandContext) throws(Failure) -> CacheAccess {
        try context.openCache(try state.places(in: context), limits.limits)
    }
}
