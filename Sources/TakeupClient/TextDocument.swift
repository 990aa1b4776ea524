internal import TakeupModel
internal import TakeupTimeline

/// A title as the API tells of it; its other fields are those of its style and of a layout.
struct TitleDocument: Decodable {
    private struct Fields: Decodable {
        var text: String
        var start: String?
        var duration: String?
        var fadeIn: String?
        var fadeOut: String?
    }

    let title: Title

    init(from decoder: any Decoder) throws {
        let fields = try Fields(from: decoder)
        func time(_ text: String?) -> MediaTime? { text.flatMap { MediaTime(parsing: $0) } }
        title = Title(
            fields.text, style: try StyleDocument(from: decoder).style,
            start: time(fields.start) ?? .zero, duration: time(fields.duration),
            fadeIn: time(fields.fadeIn) ?? .zero, fadeOut: time(fields.fadeOut) ?? .zero,
            opacity: try LayoutDocument(from: decoder).layout.opacity)
    }
}

/// Subtitles as the API tells of them.
struct SubtitlesDocument: Decodable {
    var source: String?
    var start: String?
    var language: String?
    var title: String?
    var draw: StyleDocument?

    var subtitles: Subtitles {
        Subtitles(
            source: source, start: start.flatMap { MediaTime(parsing: $0) } ?? .zero,
            language: language, title: title, style: draw?.style)
    }
}

/// The looks of text.
struct StyleDocument: Decodable {
    /// A number, a word, or a point.
    private enum Value: Decodable {
        case number(Double)
        case word(String)
        case point(Point)

        init(from decoder: any Decoder) throws {
            let single = try decoder.singleValueContainer()
            if let number = try? single.decode(Double.self) {
                self = .number(number)
            } else if let word = try? single.decode(String.self) {
                self = .word(word)
            } else {
                self = .point(try single.decode(Point.self))
            }
        }
    }

    private struct Point: Decodable {
        var x: Double
        var y: Double
        var anchor: TextStyle.Place?
    }

    private var font: String
    private var size: Value?
    private var color: String?
    private var outline: String?
    private var outlineWidth: Double?
    private var box: String?
    private var boxOpacity: Double?
    private var position: Value?

    var style: TextStyle {
        var style = TextStyle(font: font)
        switch size {
        case .number(let share)?: style.size = .share(share)
        case .word(let text)?: style.size = Int(text.dropLast(2)).map { .pixels($0) } ?? style.size
        case .point?, nil: break
        }
        style.color = color.flatMap(PictureColor.init(parsing:)) ?? style.color
        style.outline = outline.flatMap(PictureColor.init(parsing:))
        style.outlineWidth = outlineWidth ?? style.outlineWidth
        style.box = box.flatMap(PictureColor.init(parsing:))
        style.boxOpacity = boxOpacity ?? style.boxOpacity
        switch position {
        case .word(let word)?: style.position = .place(TextStyle.Place(rawValue: word) ?? .bottom)
        case .point(let point)?:
            style.position = .point(x: point.x, y: point.y, anchor: point.anchor ?? .center)
        case .number?, nil: break
        }
        return style
    }
}
