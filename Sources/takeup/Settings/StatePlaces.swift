/// Where Takeup keeps what outlives a process; absolute paths.
struct StatePlaces: Sendable, Equatable {
    /// What was asked for; nil leaves it to the environment.
    struct Request: Sendable, Equatable {
        var home: String?
        var cache: String?
        var database: String?
    }

    let home: String
    let cache: String
    /// The path of the SQLite database.
    let database: String
    /// Whether the cache folder is taken as it is, also where it is not the database's.
    var adoptsCache = false

    /// Decides where things are; touches no file.
    ///
    /// - Parameters:
    ///   - request: As flags, environment and configuration have it.
    ///   - environment: For `XDG_STATE_HOME`, `XDG_CACHE_HOME` and `HOME`.
    ///   - absolute: Makes a path that was given one from the root.
    /// - Throws: With 78 when a place cannot be told, or is one that this version does not know.
    init(
        _ request: Request, environment: [String: String], absolute: (String) -> String
    ) throws(Failure) {
        let home =
            request.home.map(absolute)
            ?? Self.folder("XDG_STATE_HOME", below: ".local/state", environment)
        guard let home else { throw Self.unknown("home", "--home DIR or TAKEUP_HOME") }
        let cache =
            request.cache.map(absolute)
            ?? Self.folder("XDG_CACHE_HOME", below: ".cache", environment)
        guard let cache else { throw Self.unknown("cache", "--cache DIR or TAKEUP_CACHE") }
        (self.home, self.cache) = (home, cache)
        database =
            try request.database.map { text throws(Failure) in
                absolute(try Self.path(inURL: text))
            } ?? "\(home)/takeup.sqlite"
    }

    /// The values as `doctor` shows them, by option.
    var settings: [String: String] {
        ["home": home, "cache": cache, "database": "sqlite:\(database)"]
    }

    /// The XDG base directories count only when they are absolute.
    private static func folder(
        _ variable: String, below place: String, _ environment: [String: String]
    ) -> String? {
        if let base = environment[variable], base.hasPrefix("/") { return "\(base)/takeup" }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return "\(home)/\(place)/takeup"
    }

    private static func path(inURL text: String) throws(Failure) -> String {
        for scheme in ["postgres:", "postgresql:"] where text.lowercased().hasPrefix(scheme) {
            throw configuration(
                "PostgreSQL is not supported yet by this version", hint: "use sqlite:PATH")
        }
        guard text.lowercased().hasPrefix("sqlite:") else {
            throw configuration("--database cannot be '\(text)'", hint: "write sqlite:PATH")
        }
        var path = text.dropFirst("sqlite:".count)
        if path.hasPrefix("///") { path = path.dropFirst(2) }
        guard !path.isEmpty, !path.hasPrefix("//"), !path.hasSuffix("/"), !path.utf8.contains(0)
        else {
            throw configuration("--database cannot be '\(text)'", hint: "write sqlite:PATH")
        }
        return String(path)
    }

    private static func unknown(_ place: String, _ how: String) -> Failure {
        configuration(
            "cannot tell where the \(place) folder is: HOME is not set", hint: "give \(how)")
    }

    private static func configuration(_ message: String, hint: String) -> Failure {
        Failure(ConfigurationError(message: message, hint: hint))
    }
}
