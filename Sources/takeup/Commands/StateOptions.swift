import TakeupClient
import TakeupJobs
import TakeupLanes
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
        OptionSpecification(
            name: "objects", valueName: "PLACE", environment: "TAKEUP_OBJECTS",
            completion: .directory,
            help: "The results: a folder, or s3://BUCKET/PREFIX; default inside the cache"),
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
    /// The server in place of a database; asked by commands that have options for one.
    let server: ServerOptions?
    private let adoptsCache: Bool
    private let isQuiet: Bool

    init(_ value: (String) -> String?) {
        self.init(value, adoptsCache: false, isQuiet: false, server: nil)
    }

    init(_ input: CommandInput) {
        self.init(
            input.value, adoptsCache: input.isOn("adopt"), isQuiet: OutputStyle(input).isQuiet,
            server: ServerOptions(input))
    }

    private init(
        _ value: (String) -> String?, adoptsCache: Bool, isQuiet: Bool, server: ServerOptions?
    ) {
        self.server = server
        request = StatePlaces.Request(
            home: value("home"), cache: value("cache"), database: value("database"),
            objects: value("objects"))
        (self.adoptsCache, self.isQuiet) = (adoptsCache, isQuiet)
    }

    /// The server's queue, or that of this machine.
    func openQueue(
        in context: CommandContext, _ style: OutputStyle
    ) throws(Failure) -> QueueAccess {
        if let client = try server?.client(in: context, style) { return QueueAccess(client) }
        return try context.openQueue(try places(in: context))
    }

    func places(in context: CommandContext) throws(Failure) -> StatePlaces {
        var places = try StatePlaces(
            request, environment: context.environment, absolute: context.absolute)
        places.adoptsCache = adoptsCache
        let talk = Console(context, isQuiet: isQuiet)
        let toldAt = Locked<ContinuousClock.Instant?>(nil)
        places.database = places.database.telling { name in
            let isNew = toldAt.withLock { toldAt in
                defer { toldAt = .now }
                return toldAt.map { .now - $0 > Self.silence } ?? true
            }
            guard isNew else { return }
            talk.warning(
                "\(name) has not answered for 5 s; waiting for it"
                    + " ('takeup doctor' tells of its standbys and long transactions)")
        }
        return places
    }

    /// A server that is slow is told again when none was for so long.
    private static let silence = Duration.seconds(60)
}
