import TakeupModel
import TakeupService

/// The options that say where state is, as commands on the queue and the cache share them.
struct StateOptions: Sendable, Equatable {
    static let specifications: [OptionSpecification] = [
        OptionSpecification(
            name: "home", valueName: "DIR", environment: "TAKEUP_HOME", completion: .directory,
            help: "Folder of the database and other state; default $XDG_STATE_HOME/takeup"),
        cache,
        OptionSpecification(
            name: "database", valueName: "URL", environment: "TAKEUP_DATABASE",
            help:
                "The queue and the manifest: sqlite:PATH or postgres://HOST/NAME; default takeup.sqlite in home"
        ),
    ]

    static let cache = OptionSpecification(
        name: "cache", valueName: "DIR", environment: "TAKEUP_CACHE", completion: .directory,
        help: "Folder of results and fetched sources; default $XDG_CACHE_HOME/takeup")

    /// The same for commands that open the cache with the database.
    static let withCache = specifications + [adopt]

    private static let adopt = OptionSpecification(
        name: "adopt",
        help: "Take the cache folder as it is, also where it is not the one of the database")

    private let request: StatePlaces.Request
    private let adoptsCache: Bool

    init(_ value: (String) -> String?) {
        self.init(value, adoptsCache: false)
    }

    init(_ input: CommandInput) {
        self.init(input.value, adoptsCache: input.isOn("adopt"))
    }

    private init(_ value: (String) -> String?, adoptsCache: Bool) {
        request = StatePlaces.Request(
            home: value("home"), cache: value("cache"), database: value("database"))
        self.adoptsCache = adoptsCache
    }

    func places(in context: CommandContext) throws(Failure) -> StatePlaces {
        var places = try StatePlaces(
            request, environment: context.environment, absolute: context.absolute)
        places.adoptsCache = adoptsCache
        return places
    }
}
