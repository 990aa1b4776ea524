import TakeupModel

extension Failure {
    /// What a user of the command line can do: the hint, and the command or option that does it.
    var advice: String {
        guard let way = Self.ways[code] else { return hint }
        return hint.isEmpty ? way : "\(hint); \(way)"
    }

    /// Modules know neither commands nor options: by the failure's code.
    private static let ways: [String: String] = [
        "addressDenied": "--allow-network CIDR allows one",
        "ambiguous": "'takeup cache list' names them",
        "cacheFailed": "'takeup doctor' looks at it",
        "cacheForeign": "--cache DIR chooses, --adopt adopts",
        "cacheNotKnown": "--cache DIR chooses, --adopt adopts",
        "cacheNotPermitted": "--cache DIR chooses",
        "cacheOnNetwork": "--cache DIR chooses",
        "checksumMismatch": "'takeup fetch --checksum' takes one",
        "databaseFailed": "'takeup doctor' says more",
        "databaseNotPermitted": "--database chooses",
        "databaseOnNetwork": "--home or --database chooses",
        "databaseUnreachable": "--database chooses another one",
        "helperCrashed": "'takeup verify' looks at it",
        "helperUnavailable": "'takeup doctor' says where it is looked for",
        "homeForeign": "--home DIR chooses",
        "homeNotMade": "--home DIR chooses another one",
        "homeNotUsable": "--home DIR chooses another one",
        "media": "'takeup verify' looks at it",
        "memoryExceeded": "'takeup verify' looks at it",
        "notReprocessed": "'takeup watch --explain PATH' does",
        "outputExists": "--overwrite replace or --overwrite unique (overwrite in a list)",
        "presetFieldInvalid": "'takeup presets show NAME' prints them",
        "presetInvalid": "'takeup presets show medium' prints one",
        "presetUnknown": "'takeup presets list' names them all",
        "presetUnreadable": "'takeup presets list' names the shipped ones",
        "presetUnsupported": "'takeup presets list' names them",
        "sandboxMissing": "'takeup doctor' says what is missing, --require-sandbox requires it",
        "sizeLimitUnreachable": "the limit is --size-limit (sizeLimit in a list)",
        "sourceIncomplete": "--on-truncated salvage (onTruncated in a list) does that",
        "sourceReplaced": "'takeup jobs retry' retries it",
        "stalled": "'takeup verify' looks at it",
        "unsupported": "'takeup presets for FILE' names those that do",
    ]
}
