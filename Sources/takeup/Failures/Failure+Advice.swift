import TakeupModel

extension Failure {
    /// What a user of the command line can do: the hint, and the command or option that does it.
    var advice: String {
        guard let way = Self.ways[code] else { return hint }
        if hint.isEmpty { return way }
        return hint.hasSuffix("?") ? "\(hint) \(way)" : "\(hint); \(way)"
    }

    /// Modules know neither commands nor options: by the failure's code.
    private static let ways: [String: String] = [
        "addressDenied": "--allow-network CIDR allows a network",
        "ambiguous": "'takeup cache list' names them",
        "cacheFailed": "'takeup doctor' examines the cache",
        "cacheForeign": "--cache DIR names a cache, --adopt adopts it",
        "cacheNotKnown": "--cache DIR names a cache, --adopt adopts it",
        "cacheNotPermitted": "--cache DIR names a cache",
        "cacheOnNetwork": "--cache DIR names a cache",
        "checksumMismatch": "'takeup fetch --checksum' takes a SHA-256",
        "databaseFailed": "'takeup doctor' examines the database",
        "databaseNotPermitted": "--database names a database",
        "databaseOnNetwork": "--home and --database name the place",
        "databaseTooNew": "--database names a database",
        "databaseUnreachable": "--database names a database",
        "helperCrashed": "'takeup verify' examines the source",
        "helperUnavailable": "'takeup doctor' shows where Takeup looks for it",
        "homeForeign": "--home DIR names a folder",
        "homeNotMade": "--home DIR names a folder",
        "homeNotUsable": "--home DIR names a folder",
        "media": "'takeup verify' examines the source",
        "memoryExceeded": "'takeup verify' examines the source",
        "notReprocessed": "'takeup watch --explain PATH' prints it",
        "outputExists": "--overwrite replace or --overwrite unique does that",
        "presetFieldInvalid": "'takeup presets show NAME' prints the fields",
        "presetInvalid": "'takeup presets show medium' prints a preset",
        "presetUnknown": "'takeup presets list' names all presets",
        "presetUnreadable": "'takeup presets list' names the shipped ones",
        "presetUnsupported": "'takeup presets list' names all presets",
        "pathNotAllowed": "'takeup serve --allow-path DIR' allows a folder",
        "publicURLMissing": "'takeup serve --public-url URL' sets it",
        "sandboxMissing": "'takeup doctor' says what is missing; --require-sandbox asked for it",
        "sizeLimitUnreachable": "--size-limit sets the limit",
        "sourceIncomplete": "--on-truncated salvage (onTruncated in a list) does that",
        "sourceReplaced": "'takeup jobs retry' retries a job",
        "stalled": "'takeup verify' examines the source",
        "tokenMissing": "TAKEUP_TOKEN or --token-file FILE has it",
        "tokenWrong": "TAKEUP_TOKEN or --token-file FILE has it",
        "tokensMissing": "--token-file FILE names them",
        "unsupported": "'takeup presets for FILE' names suitable presets",
    ]
}
