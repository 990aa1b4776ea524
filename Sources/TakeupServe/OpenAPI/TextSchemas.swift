internal import TakeupModel

/// The schemas of what a timeline writes on its pictures.
extension TimelineSchemas {
    private typealias Schema = APISchema

    private static let places = Schema.words(TextStyle.Place.allCases.map(\.rawValue))

    private static let style: [(String, JSONValue)] = [
        ("font", source),
        (
            "size",
            [
                "description": "The height of a line: a part of the height, or pixels (48px).",
                "anyOf": .list([Schema.text, number]),
            ]
        ),
        ("color", color("The letters' colour; white without it.")),
        ("outline", color("The colour around the letters.")), ("outlineWidth", number),
        ("box", color("The colour behind the text.")), ("boxOpacity", number),
        (
            "position",
            Schema.either(
                places,
                Schema.request(
                    [("x", number), ("y", number), ("anchor", places)], required: ["x", "y"]))
        ),
    ]

    static let title = Schema.request(
        [
            ("text", source), ("start", moment), ("end", moment), ("duration", moment),
            ("fadeIn", moment), ("fadeOut", moment), ("opacity", number),
            ("opacityRamps", ramps(of: number)),
        ] + style, required: ["text"])

    static let subtitles = Schema.request(
        [
            ("source", source), ("start", moment), ("language", Schema.text),
            ("title", Schema.text), ("draw", Schema.request(style, required: [])),
        ], required: [])
}
