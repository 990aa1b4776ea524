internal import TakeupJobs
internal import TakeupModel

/// The schema of a timeline that is a job's source.
enum TimelineSchemas {
    private typealias Schema = APISchema

    static let all: [(String, JSONValue)] = [("Timeline", timeline)]

    /// Seconds, a clock time, or a fraction.
    static let moment = Schema.either(
        Schema.text, ["type": "number", "minimum": .integer(0)])

    private static func level(_ description: String) -> JSONValue {
        [
            "description": .text(description + " A factor, or decibels such as -12 dB."),
            "anyOf": .list([
                Schema.text, ["type": "number", "minimum": .integer(0), "maximum": .integer(10)],
            ]),
        ]
    }

    private static let ramp = Schema.request(
        [
            ("start", moment), ("duration", moment),
            ("from", level("The volume where the ramp begins.")),
            ("to", level("The volume from its end on.")),
        ], required: ["start", "duration", "from", "to"])

    private static let duck = Schema.request(
        [
            (
                "under",
                [
                    "description": "The number of the track over this one, from 1.",
                    "type": "integer", "minimum": .integer(1),
                    "maximum": .whole(Composition.mostTracks),
                ]
            ),
            ("to", level("The volume while the other track is heard, at most 1.")),
            ("attack", moment), ("release", moment),
            ("threshold", level("The level from which on the other track counts as heard.")),
        ], required: ["under"])

    private static let timeline = Schema.request(
        [
            ("version", ["const": .integer(1)]),
            ("background", color("What is seen where no picture is; black without it.")),
            ("tracks", list(track, most: Composition.mostTracks)),
            ("titles", list(title, most: Composition.mostTitles)),
            ("subtitles", list(subtitles, most: Composition.mostSubtitles)),
            ("$schema", Schema.text),
        ], required: ["version", "tracks"])

    private static let track = Schema.request(
        [
            ("media", Schema.words(Composition.Media.allCases.map(\.rawValue))),
            ("volume", level("How loud the track is up to its first ramp.")),
            ("volumeRamps", list(ramp)), ("duck", duck), ("layout", layout),
            ("loop", Schema.request([("fadeOut", moment)])),
            ("segments", list(Schema.either(source, part, empty, transition))),
        ], required: ["segments"])

    static func color(_ description: String) -> JSONValue {
        [
            "description": .text(description), "type": "string", "pattern": "^#[0-9A-Fa-f]{6}$",
        ]
    }

    private static let transition = Schema.request(
        [
            ("transition", Schema.words(Transition.Kind.allCases.map(\.rawValue))),
            ("duration", moment), ("color", color("The colour of a dip; black without it.")),
        ], required: ["transition", "duration"])

    static let number: JSONValue = ["type": "number"]
    private static let area = Schema.request(
        [("x", number), ("y", number), ("width", number), ("height", number)],
        required: ["x", "y", "width", "height"])

    static func ramps(of value: JSONValue) -> JSONValue {
        list(
            Schema.request(
                [("start", moment), ("duration", moment), ("from", value), ("to", value)],
                required: ["start", "duration", "from", "to"]))
    }

    private static let layout = Schema.request(
        [
            ("fit", Schema.words(Layout.Fit.allCases.map(\.rawValue))),
            ("opacity", number), ("opacityRamps", ramps(of: number)),
            ("area", area), ("areaRamps", ramps(of: area)),
            ("rotation", number), ("rotationRamps", ramps(of: number)),
            ("crop", area), ("cropRamps", ramps(of: area)),
        ], required: [])

    static let source: JSONValue = ["type": "string", "minLength": .integer(1)]

    private static let part = Schema.request(
        [
            ("source", source), ("start", moment), ("end", moment), ("duration", moment),
            ("atMost", moment), ("layout", layout),
            (
                "speed",
                [
                    "description": "How many times faster than its own the part plays.",
                    "anyOf": .list([
                        Schema.text,
                        ["type": "number", "minimum": .number(0.01), "maximum": .integer(100)],
                    ]),
                ]
            ),
            ("pitch", Schema.words(Composition.Segment.Pitch.allCases.map(\.rawValue))),
            (
                "timecode",
                [
                    "description":
                        "The frame rate of the source's timecode, in which start and end count.",
                    "type": "string",
                ]
            ),
        ], required: ["source"])

    private static let empty = Schema.request([("empty", moment)], required: ["empty"])

    private static func list(
        _ element: JSONValue, most: Int = JobSpec.mostSources
    ) -> JSONValue {
        [
            "type": "array", "items": element, "minItems": .integer(1),
            "maxItems": .whole(most),
        ]
    }
}
