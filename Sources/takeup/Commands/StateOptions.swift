/// The options that say where state is, as commands on the queue and the cache share them.
struct StateOptions: Sendable, Equatable {
    static let specifications: [OptionSpecification] = [
        OptionSpecification(
            name: "home", valueName: "DIR", environment: "TAKEUP_HOME", completion: .directory,
            help: "Folder of the database and other state; default $XDG_STATE_HOME/takeup"),
        cache,
        OptionSpecification(
            name: "database", valueName: "URL", environment: "TAKEUP_DATABASE",
            help: "The queue and the manifest: sqlite:PATH; default takeup.sqlite inside home"),
    ]

    static let cache = OptionSpecification(
        name: "cache", valueName: "DIR", environment: "TAKEUP_CACHE", completion: .directory,
        help: "Folder of results and fetched sources; default $XDG_CACHE_HOME/takeup")

    private let request: StatePlaces.Request

    init(_ value: (String) -> String?) {
        request = StatePlaces.Request(
            home: value("home"), cache: value("cache"), database: value("database"))
    }

    init(_ input: CommandInput) {
        self.init(input.value)
    }

    func places(in context: CommandContext) throws(Failure) -> StatePlaces {
        try StatePlaces(
            request, environment: context.environment, absolute: context.absolute)
    }
}
