internal import Foundation
internal import TakeupJobs
internal import TakeupModel
internal import TakeupTimeline

/// The fields that say what is written on the pictures.
extension TimelineReader {
    private static let styleNames = [
        "font", "size", "color", "outline", "outlineWidth", "box", "boxOpacity", "position",
    ]

    mutating func titles(_ element: JSONElement) -> [Title] {
        let all = list(element, "titles", most: Composition.mostTitles)
        return all.enumerated().compactMap { number, element in
            within("title \(number + 1)") { $0.title(element) }
        }
    }

    mutating func subtitles(_ element: JSONElement) -> [Subtitles] {
        let all = list(element, "subtitles", most: Composition.mostSubtitles)
        return all.enumerated().map { number, element in
            within("subtitles \(number + 1)") { $0.subtitle(element) }
        }
    }

    private mutating func title(_ element: JSONElement) -> Title? {
        let names =
            ["text", "start", "end", "duration", "fadeIn", "fadeOut", "opacity", "opacityRamps"]
            + Self.styleNames
        let found = members(of: element, "a title", names)
        guard let text = text(found, "text", of: element) else { return nil }
        var times: [String: MediaTime] = [:]
        for member in found
        where ["start", "end", "duration", "fadeIn", "fadeOut"].contains(member.key) {
            times[member.key] = time(member.element, member.key)
        }
        let start = times["start"] ?? .zero
        if times["end"] != nil, times["duration"] != nil {
            note(element, "duration", "cannot stand beside end", hint: "give one")
        }
        return Title(
            text, style: style(found, of: element, usualSize: 0.08), start: start,
            duration: times["duration"] ?? times["end"].map { $0 - start },
            fadeIn: times["fadeIn"] ?? .zero, fadeOut: times["fadeOut"] ?? .zero,
            opacity: ramped(found, "opacity", 1) { $0.number($1, $2) })
    }

    private mutating func subtitle(_ element: JSONElement) -> Subtitles {
        let names = ["source", "start", "language", "title", "draw"]
        var subtitles = Subtitles()
        let found = members(of: element, "subtitles", names)
        for member in found {
            switch member.key {
            case "source": subtitles.source = file(member.element, "source")
            case "start": subtitles.start = time(member.element, "start") ?? .zero
            case "draw":
                let own = within("draw") { reader in
                    let fields = reader.members(of: member.element, "draw", Self.styleNames)
                    return reader.style(fields, of: member.element, usualSize: 0.06, isCue: true)
                }
                subtitles.style = own
            default:
                let text = text(found, member.key, of: element)
                if member.key == "language" {
                    subtitles.language = text
                } else {
                    subtitles.title = text
                }
            }
        }
        return subtitles
    }

    private mutating func style(
        _ found: [JSONElement.Member], of element: JSONElement, usualSize: Double,
        isCue: Bool = false
    ) -> TextStyle {
        var style = TextStyle(font: "", size: .share(usualSize))
        // Letters of any colour can be read on pictures of any colour.
        if isCue { style.outline = .black }
        for member in found {
            switch member.key {
            case "font": style.font = file(member.element, "font")
            case "size": style.size = size(member.element) ?? style.size
            case "color": style.color = color(member.element, "color") ?? style.color
            case "outline": style.outline = color(member.element, "outline")
            case "box": style.box = color(member.element, "box")
            case "outlineWidth":
                style.outlineWidth = number(member.element, member.key) ?? style.outlineWidth
            case "boxOpacity":
                style.boxOpacity = number(member.element, member.key) ?? style.boxOpacity
            case "position": style.position = position(member.element) ?? style.position
            default: break
            }
        }
        if !found.contains(where: { $0.key == "font" }) {
            if let font = StandardFont.path() {
                style.font = font
            } else {
                note(
                    element, "font", "is missing, and this machine has none of the usual fonts",
                    hint: "name a font's file, or install DejaVu (fonts-dejavu-core)")
            }
        }
        return style
    }

    /// A file that is no medium: a path alone, for it is read whole before anything else.
    private mutating func file(_ element: JSONElement, _ field: String) -> String {
        guard case .text(let text) = element.value else {
            note(element, field, "needs the path of a file")
            return ""
        }
        guard !SourceText.isAddress(text) else {
            note(element, field, "is an address", hint: "name a file of this machine")
            return ""
        }
        return source(text, element, field)
    }

    private mutating func size(_ element: JSONElement) -> TextStyle.Size? {
        if case .text(let text) = element.value, text.hasSuffix("px"),
            let pixels = Int(text.dropLast(2).trimmingCharacters(in: .whitespaces))
        {
            return .pixels(pixels)
        }
        if case .number(let text) = element.value, let share = Double(text), share.isFinite {
            return .share(share)
        }
        note(element, "size", "needs a part of the height such as 0.08, or pixels such as \"48px\"")
        return nil
    }

    private mutating func position(_ element: JSONElement) -> TextStyle.Position? {
        guard case .object = element.value else {
            return (word(element, "position") as TextStyle.Place?).map { .place($0) }
        }
        let found = members(of: element, "a position", ["x", "y", "anchor"])
        var numbers: [String: Double] = [:]
        var anchor = TextStyle.Place.center
        for member in found {
            if member.key == "anchor" {
                anchor = word(member.element, "position, anchor") ?? anchor
            } else {
                numbers[member.key] = number(member.element, "position, \(member.key)")
            }
        }
        for name in ["x", "y"] where !found.contains(where: { $0.key == name }) {
            note(element, "position, \(name)", "is missing")
        }
        guard let x = numbers["x"], let y = numbers["y"] else { return nil }
        return .point(x: x, y: y, anchor: anchor)
    }

    private mutating func text(
        _ found: [JSONElement.Member], _ name: String, of element: JSONElement
    ) -> String? {
        guard let own = found.first(where: { $0.key == name })?.element else {
            note(element, name, "is missing")
            return nil
        }
        guard case .text(let text) = own.value else {
            note(own, name, "needs a text")
            return nil
        }
        return text.replacing("\r\n", with: "\n")
    }
}

extension Composition {
    /// The members that say what is written on the pictures.
    var textMembers: [JSONValue.Member] {
        let all = [
            ("titles", titles.map(\.timelineJSON)), ("subtitles", subtitles.map(\.timelineJSON)),
        ]
        return all.filter { !$0.1.isEmpty }.map { .init(key: $0, value: .list($1)) }
    }
}

extension Title {
    fileprivate var timelineJSON: JSONValue {
        func text(_ time: MediaTime) -> JSONValue { .text("\(time.value)/\(time.timescale)") }
        var members = [
            JSONValue.Member(key: "text", value: .text(self.text)),
            .init(key: "start", value: text(start)),
        ]
        if let duration { members.append(.init(key: "duration", value: text(duration))) }
        if fadeIn > .zero { members.append(.init(key: "fadeIn", value: text(fadeIn))) }
        if fadeOut > .zero { members.append(.init(key: "fadeOut", value: text(fadeOut))) }
        if case .object(let shown) = Layout(opacity: opacity).timelineJSON { members += shown }
        return .object(members + style.timelineMembers)
    }
}

extension Subtitles {
    fileprivate var timelineJSON: JSONValue {
        var members: [JSONValue.Member] = []
        if let source { members.append(.init(key: "source", value: .text(source))) }
        if start != .zero {
            members.append(
                .init(key: "start", value: .text("\(start.value)/\(start.timescale)")))
        }
        if let language { members.append(.init(key: "language", value: .text(language))) }
        if let title { members.append(.init(key: "title", value: .text(title))) }
        if let style { members.append(.init(key: "draw", value: .object(style.timelineMembers))) }
        return .object(members)
    }
}

extension TextStyle {
    fileprivate var timelineMembers: [JSONValue.Member] {
        let size: JSONValue =
            switch size {
            case .share(let share): .number(share)
            case .pixels(let pixels): .text("\(pixels)px")
            }
        let position: JSONValue =
            switch position {
            case .place(let place): .text(place.rawValue)
            case .point(let x, let y, let anchor):
                ["x": .number(x), "y": .number(y), "anchor": .text(anchor.rawValue)]
            }
        var members = [
            JSONValue.Member(key: "font", value: .text(font)), .init(key: "size", value: size),
            .init(key: "color", value: .text("\(color)")),
        ]
        if let outline {
            members.append(.init(key: "outline", value: .text("\(outline)")))
            members.append(.init(key: "outlineWidth", value: .number(outlineWidth)))
        }
        if let box {
            members.append(.init(key: "box", value: .text("\(box)")))
            members.append(.init(key: "boxOpacity", value: .number(boxOpacity)))
        }
        return members + [.init(key: "position", value: position)]
    }
}
