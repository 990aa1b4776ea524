public import TakeupModel
public import TakeupS3

/// Where Takeup keeps what outlives a process; absolute paths.
public struct StatePlaces: Sendable, Equatable {
    /// What was asked for; nil leaves it to the environment.
    public struct Request: Sendable, Equatable {
        public var home: String?
        public var cache: String?
        public var database: String?
        public var objects: String?

        public init(
            home: String? = nil, cache: String? = nil, database: String? = nil,
            objects: String? = nil
        ) {
            (self.home, self.cache, self.database) = (home, cache, database)
            self.objects = objects
        }
    }

    public let home: String
    public let cache: String
    /// The queue and the manifest.
    public package(set) var database: DatabaseAddress
    /// Where the results are.
    public var objects = ObjectsAddress.cache
    /// What leads to a bucket; holds no secret that is shown.
    public var bucketSettings = S3Environment([:])
    /// Whether the cache folder is taken as it is, also where it is not the database's.
    public var adoptsCache = false

    /// The SQLite file for what is about this machine's files: watched files, pending hooks, hashes.
    ///
    /// The database itself if that is a file.
    public var localDatabase: String { database.path ?? "\(home)/\(Self.fileName)" }

    private static let fileName = "takeup.sqlite"

    /// Names a place for each thing.
    public init(home: String, cache: String, database: DatabaseAddress? = nil) {
        (self.home, self.cache) = (home, cache)
        self.database = database ?? .sqlite(path: "\(home)/\(Self.fileName)")
    }

    /// Decides where things are; touches no file.
    ///
    /// - Parameters:
    ///   - request: As flags, environment and configuration have it.
    ///   - environment: For `XDG_STATE_HOME`, `XDG_CACHE_HOME` and `HOME`.
    ///   - absolute: Makes a path that was given one from the root.
    /// - Throws: With 78 when a place cannot be told, or is one that this version does not know.
    public init(
        _ request: Request, environment: [String: String], absolute: (String) -> String
    ) throws(Failure) {
        let home =
            request.home.map(absolute)
            ?? Self.folder("XDG_STATE_HOME", below: ".local/state", environment)
        guard let home else { throw Self.unknown("home", "TAKEUP_HOME") }
        let cache =
            request.cache.map(absolute)
            ?? Self.folder("XDG_CACHE_HOME", below: ".cache", environment)
        guard let cache else { throw Self.unknown("cache", "TAKEUP_CACHE") }
        let database = try request.database.map { (text) throws(Failure) in
            guard let address = DatabaseAddress(text, absolute: absolute) else {
                throw Self.configuration(
                    "the database cannot be '\(DatabaseAddress.shown(text))'",
                    hint: "write sqlite:PATH or postgres://HOST/DATABASE")
            }
            return address
        }
        self.init(home: home, cache: cache, database: database)
        bucketSettings = S3Environment(environment)
        if let text = request.objects {
            guard let address = ObjectsAddress(text, absolute: absolute) else {
                throw Self.configuration(
                    "the objects cannot be in '\(ObjectsAddress.shown(text))'",
                    hint: "write a folder's path, or s3://BUCKET/PREFIX with plain parts")
            }
            objects = address
        }
    }

    /// The values as `doctor` shows them, by option.
    public var settings: [String: String] {
        [
            "home": home, "cache": cache, "database": database.setting,
            "objects": objects.setting(cache: cache),
        ]
    }

    /// The XDG base directories count only when they are absolute.
    private static func folder(
        _ variable: String, below place: String, _ environment: [String: String]
    ) -> String? {
        if let base = environment[variable], base.hasPrefix("/") { return "\(base)/takeup" }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return "\(home)/\(place)/takeup"
    }

    private static func unknown(_ place: String, _ variable: String) -> Failure {
        configuration(
            "cannot tell where the \(place) folder is: HOME is not set",
            hint: "set HOME, or \(variable)")
    }

    private static func configuration(_ message: String, hint: String) -> Failure {
        Failure(
            exitCode: .configuration, code: "configuration", stage: "request", message: message,
            hint: hint)
    }
}
