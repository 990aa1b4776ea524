internal import TakeupModel

/// The schemas of everything but jobs.
enum ServiceSchemas {
    private typealias Schema = APISchema

    static let all: [(String, JSONValue)] = [
        ("CacheEntry", entry), ("CachePage", page), ("CacheStats", figures),
        ("Evictions", evictions), ("Upload", upload), ("UploadList", uploads),
        ("Plan", plan), ("PlanTrack", track), ("PresetAnswer", answer), ("Preset", preset),
        ("Readiness", readiness), ("Status", status), ("Workers", workers),
        ("OwnWorker", ownWorker), ("Folders", folders), ("Session", session),
    ]

    private static let optionalText = Schema.optional(Schema.text)
    private static let optionalTime = Schema.optional(Schema.time)
    private static let optionalNumber = Schema.optional(Schema.number)
    private static let optionalWhole = Schema.optional(Schema.whole)
    private static let messages = Schema.list(
        Schema.object([("code", Schema.text), ("message", Schema.text)]))

    private static let entry = Schema.object([
        ("id", Schema.text), ("path", Schema.text), ("bytes", Schema.count),
        ("sha256", optionalText), ("preset", optionalText), ("source", Schema.text),
        ("createdAt", optionalTime), ("expiresAt", optionalTime),
        ("lastAccessAt", optionalTime), ("hits", Schema.count), ("pinned", Schema.flag),
        ("kind", Schema.words(["result", "source", "partialSource"])),
        ("ids", Schema.list(Schema.text)),
    ])

    private static let page = Schema.object([
        ("entries", Schema.list(Schema.reference("CacheEntry"))), ("next", optionalText),
    ])

    private static let figures = Schema.object([
        ("entries", Schema.count), ("bytes", Schema.count), ("hits", Schema.count),
        ("misses", Schema.count), ("bytesSaved", Schema.count), ("evictions", Schema.count),
        ("freeBytes", Schema.count), ("exports", Schema.count), ("retries", Schema.count),
        ("speed", optionalNumber), ("sources", Schema.count), ("sourceBytes", Schema.count),
        ("orphans", Schema.count), ("orphanBytes", Schema.count),
    ])

    private static let evictions = Schema.object([
        (
            "evictions",
            Schema.list(
                Schema.object([
                    ("id", Schema.text), ("bytes", Schema.count), ("reason", Schema.text),
                    ("outcome", Schema.words(["removed", "planned", "inUse", "kept"])),
                ]))
        )
    ])

    private static let upload = Schema.object([
        ("id", Schema.text), ("source", Schema.text), ("name", Schema.text),
        ("bytes", optionalWhole), ("length", optionalWhole), ("offset", Schema.count),
        ("complete", Schema.flag), ("sha256", optionalText), ("createdAt", optionalTime),
        ("expiresAt", optionalTime),
    ])

    private static let uploads = Schema.object([
        ("uploads", Schema.list(Schema.reference("Upload")))
    ])

    private static let reason = Schema.object([("code", Schema.text), ("text", Schema.text)])
    private static let origin = Schema.object([
        ("source", Schema.count), ("track", Schema.count),
    ])

    private static let track = Schema.object([
        ("type", Schema.text), ("mode", Schema.words(["copy", "encode", "parts"])),
        ("codec", Schema.text), ("width", optionalWhole), ("height", optionalWhole),
        ("frameRate", optionalNumber), ("dynamicRange", optionalText),
        ("channels", optionalWhole), ("channelLayout", optionalText),
        ("sampleRate", optionalWhole), ("bitRate", optionalWhole), ("language", optionalText),
        ("title", optionalText), ("reason", reason), ("from", Schema.list(origin)),
        (
            "mix",
            Schema.list(
                Schema.object([
                    ("track", Schema.count), ("volume", ["type": "number"]),
                    ("ramps", Schema.count), ("ducked", Schema.count), ("fades", Schema.count),
                    ("from", Schema.list(origin)),
                ]))
        ),
        (
            "loudness",
            Schema.optional(
                Schema.object([
                    ("target", Schema.number), ("ceiling", Schema.number),
                    ("loudness", optionalNumber), ("truePeak", Schema.number),
                    ("gain", Schema.number), ("limited", Schema.flag),
                ]))
        ),
        (
            "layers",
            Schema.list(
                Schema.object([
                    ("track", Schema.count), ("start", optionalNumber),
                    ("duration", optionalNumber), ("layout", Schema.text),
                    ("enters", optionalText), ("from", origin),
                ]))
        ),
        (
            "titles",
            Schema.list(
                Schema.object([
                    ("title", Schema.count), ("text", Schema.text), ("start", optionalNumber),
                    ("duration", optionalNumber), ("style", Schema.text),
                ]))
        ),
        ("parts", Schema.list(part)),
    ])

    private static let part = Schema.object([
        ("mode", Schema.words(["copy", "encode"])), ("start", ["type": "number"]),
        ("end", ["type": "number"]), ("source", Schema.count),
        ("sourceStart", ["type": "number"]),
    ])

    private static let plan = Schema.object([
        ("type", Schema.constant("plan")), ("duration", optionalNumber),
        (
            "output",
            Schema.object([
                ("path", optionalText), ("container", Schema.text),
                ("duration", optionalNumber), ("expectedBytes", optionalWhole),
                ("expectedBytesAre", optionalText), ("sizeLimit", optionalWhole),
            ])
        ),
        ("tracks", Schema.list(Schema.reference("PlanTrack"))),
        (
            "dropped",
            Schema.list(
                Schema.object([
                    ("type", Schema.text), ("codec", Schema.text), ("reason", reason),
                    ("from", origin),
                ]))
        ),
        ("losses", Schema.list(Schema.text)),
        (
            "decisions",
            Schema.list(
                Schema.object([
                    ("subject", Schema.text), ("choice", Schema.text), ("reason", Schema.text),
                ]))
        ),
        ("warnings", messages), ("loss", Schema.optional(Schema.anything)),
    ])

    private static let answer = Schema.object([
        ("name", Schema.text), ("description", Schema.text), ("compatible", Schema.flag),
        ("reason", optionalText), ("error", Schema.optional(Schema.reference("Error"))),
        ("width", optionalWhole), ("height", optionalWhole), ("duration", optionalNumber),
        ("expectedBytes", optionalWhole), ("expectedBytesAre", optionalText),
        ("tracks", Schema.list(Schema.reference("PlanTrack"))),
        ("losses", Schema.list(Schema.text)), ("warnings", messages),
    ])

    private static let preset = Schema.object(
        [
            ("name", Schema.text), ("description", Schema.text), ("container", Schema.text),
            ("from", Schema.text),
        ], optional: ["from"])

    private static let readiness = Schema.object([
        ("ready", Schema.flag),
        (
            "checks",
            Schema.list(
                Schema.object([
                    (
                        "name",
                        Schema.words([
                            "database", "disk", "uploads", "cache", "helper", "files", "folders",
                        ])
                    ),
                    ("ok", Schema.flag), ("reason", optionalText),
                ]))
        ),
    ])

    private static let queue: [(String, JSONValue)] = [
        ("queued", Schema.count), ("scheduled", Schema.count), ("running", Schema.count),
    ]

    private static let status = Schema.object([
        ("version", Schema.text), ("time", optionalTime), ("startedAt", optionalTime),
        ("uptime", Schema.number), ("counts", Schema.reference("JobCounts")),
        ("queue", Schema.object(queue + [("oldestSeconds", Schema.number)])),
        ("cache", Schema.reference("CacheStats")), ("hitRate", optionalNumber),
        ("bytesSaved", Schema.count),
        (
            "disk",
            Schema.object([
                ("cacheFreeBytes", Schema.count), ("homeFreeBytes", optionalWhole),
            ])
        ),
        ("speed", optionalNumber),
        ("worker", Schema.optional(Schema.reference("OwnWorker"))),
        (
            "history",
            Schema.list(
                Schema.object(
                    [("time", Schema.time)] + queue + [
                        ("speed", optionalNumber), ("hitRate", optionalNumber),
                        ("bytesSaved", Schema.count),
                    ]))
        ),
    ])

    private static let ownWorker = Schema.object([
        ("running", Schema.count), ("lanes", Schema.count), ("claimed", Schema.count),
        ("ended", Schema.map(Schema.count)), ("mediaSeconds", optionalNumber),
        ("workSeconds", optionalNumber), ("speed", optionalNumber),
        ("outputBytes", Schema.count),
    ])

    private static let workers = Schema.object([
        (
            "workers",
            Schema.list(
                Schema.object([
                    ("id", Schema.text), ("jobs", Schema.list(Schema.text)),
                    ("running", Schema.count), ("speed", optionalNumber),
                    ("leaseUntil", optionalTime), ("alive", Schema.flag),
                ]))
        ),
        ("here", Schema.optional(Schema.reference("OwnWorker"))), ("time", Schema.time),
        (
            "registered",
            Schema.list(
                Schema.object([
                    ("id", Schema.text), ("host", Schema.text), ("process", Schema.count),
                    ("version", Schema.text),
                    ("state", Schema.words(["working", "paused", "draining", "silent"])),
                    ("lanes", Schema.count), ("jobs", Schema.count),
                    ("queues", Schema.optional(Schema.list(Schema.text))),
                    ("tags", Schema.list(Schema.text)), ("startedAt", Schema.time),
                    ("lastSeenAt", Schema.time),
                ]))
        ),
    ])

    private static let folders = Schema.object([
        (
            "folders",
            Schema.list(
                Schema.object([
                    ("path", Schema.text), ("handed", Schema.count), ("failed", Schema.count),
                    ("actionsWaiting", Schema.count),
                    (
                        "files",
                        Schema.list(
                            Schema.object([
                                ("path", Schema.text), ("state", Schema.text),
                                ("job", optionalText), ("jobState", optionalText),
                                ("why", optionalText), ("bytes", Schema.count),
                            ]))
                    ),
                    ("more", Schema.count),
                ]))
        )
    ])

    private static let session = Schema.object([
        ("needsToken", Schema.flag),
        ("scope", Schema.words(AccessScope.allCases.map(\.rawValue))),
    ])
}
