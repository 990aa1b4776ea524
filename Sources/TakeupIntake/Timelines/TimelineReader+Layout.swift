internal import Foundation
internal import TakeupModel
internal import TakeupTimeline

/// The fields that say where and how pictures lie, and what joins segments.
extension TimelineReader {
    private static let layoutNames =
        ["fit"] + ["opacity", "area", "rotation", "crop"].flatMap { [$0, $0 + "Ramps"] }

    /// Reads a layout; nil for one that says nothing.
    mutating func layout(_ element: JSONElement) -> Layout? {
        let found = members(of: element, "a layout", Self.layoutNames)
        var layout = Layout()
        if let fit = found.first(where: { $0.key == "fit" })?.element {
            layout.fit = word(fit, "fit")
        }
        layout.opacity = ramped(found, "opacity", 1) { $0.number($1, $2) }
        layout.area = ramped(found, "area", .whole) { $0.area($1, $2) }
        layout.rotation = ramped(found, "rotation", 0) { $0.number($1, $2) }
        layout.crop = ramped(found, "crop", .whole) { $0.area($1, $2) }
        return layout.isVoid ? nil : layout
    }

    /// Reads a transition between two segments.
    mutating func transition(_ element: JSONElement) -> Transition? {
        let found = members(of: element, "a transition", ["transition", "duration", "color"])
        var kind: Transition.Kind?
        var (duration, color): (MediaTime?, PictureColor?)
        for member in found {
            switch member.key {
            case "transition": kind = word(member.element, "transition")
            case "duration": duration = time(member.element, "duration")
            default: color = self.color(member.element, "color")
            }
        }
        if !found.contains(where: { $0.key == "duration" }) {
            note(element, "duration", "is missing")
        }
        guard let kind, let duration else { return nil }
        return Transition(kind, duration, color: color)
    }

    mutating func color(_ element: JSONElement, _ field: String) -> PictureColor? {
        if case .text(let text) = element.value, let color = PictureColor(parsing: text) {
            return color
        }
        note(element, field, "needs a colour such as \"#ff8000\": red, green and blue")
        return nil
    }

    mutating func word<Word: RawRepresentable & CaseIterable>(
        _ element: JSONElement, _ field: String
    ) -> Word? where Word.RawValue == String {
        if case .text(let text) = element.value, let word = Word(rawValue: text) { return word }
        note(
            element, field, "cannot be \(element.kind)",
            hint: "it may be \(Word.allCases.map(\.rawValue).joined(separator: ", "))")
        return nil
    }

    mutating func ramped<Value>(
        _ found: [JSONElement.Member], _ name: String, _ usual: Value,
        _ read: (inout Self, JSONElement, String) -> Value?
    ) -> Ramped<Value>? {
        let value = found.first { $0.key == name }?.element
        let ramps = found.first { $0.key == name + "Ramps" }?.element
        guard value != nil || ramps != nil else { return nil }
        var made = Ramped(value.flatMap { read(&self, $0, name) } ?? usual)
        if let ramps {
            made.ramps = list(ramps, name + "Ramps").compactMap { ramp($0, read) }
        }
        return made
    }

    private mutating func ramp<Value>(
        _ element: JSONElement, _ read: (inout Self, JSONElement, String) -> Value?
    ) -> Ramped<Value>.Ramp? {
        let names = ["start", "duration", "from", "to"]
        let found = members(of: element, "a ramp", names)
        var times: [String: MediaTime] = [:]
        var values: [String: Value] = [:]
        for member in found {
            switch member.key {
            case "start", "duration": times[member.key] = time(member.element, member.key)
            default: values[member.key] = read(&self, member.element, member.key)
            }
        }
        for name in names where !found.contains(where: { $0.key == name }) {
            note(element, name, "is missing")
        }
        guard let start = times["start"], let duration = times["duration"],
            let from = values["from"], let to = values["to"]
        else { return nil }
        return Ramped.Ramp(start: start, duration: duration, from: from, to: to)
    }

    private mutating func area(_ element: JSONElement, _ field: String) -> Area? {
        let names = ["x", "y", "width", "height"]
        let found = members(of: element, "an area", names)
        var numbers: [String: Double] = [:]
        for member in found { numbers[member.key] = number(member.element, member.key) }
        for name in names where !found.contains(where: { $0.key == name }) {
            note(element, "\(field), \(name)", "is missing")
        }
        guard let x = numbers["x"], let y = numbers["y"], let width = numbers["width"],
            let height = numbers["height"]
        else { return nil }
        return Area(x: x, y: y, width: width, height: height)
    }

    mutating func number(_ element: JSONElement, _ field: String) -> Double? {
        if case .number(let text) = element.value, let number = Double(text), number.isFinite {
            return number
        }
        note(element, field, "needs a number")
        return nil
    }
}

extension Composition.Track {
    /// The segments, with the transitions between them.
    var timelineSegments: [JSONValue] {
        segments.flatMap { segment in
            (segment.transition.map { [$0.timelineJSON] } ?? []) + [segment.timelineJSON]
        }
    }
}

extension Transition {
    fileprivate var timelineJSON: JSONValue {
        .object(
            [
                .init(key: "transition", value: .text(kind.rawValue)),
                .init(key: "duration", value: .text("\(duration.value)/\(duration.timescale)")),
            ] + (color.map { [.init(key: "color", value: .text($0.description))] } ?? []))
    }
}

extension Layout {
    var timelineJSON: JSONValue {
        func area(_ area: Area) -> JSONValue {
            [
                "x": .number(area.x), "y": .number(area.y), "width": .number(area.width),
                "height": .number(area.height),
            ]
        }
        var members: [JSONValue.Member] = []
        func add<Value>(
            _ name: String, _ ramped: Ramped<Value>?, _ json: (Value) -> JSONValue
        ) {
            guard let ramped else { return }
            func text(_ time: MediaTime) -> JSONValue { .text("\(time.value)/\(time.timescale)") }
            members.append(.init(key: name, value: json(ramped.value)))
            guard !ramped.ramps.isEmpty else { return }
            let ramps: [JSONValue] = ramped.ramps.map {
                [
                    "start": text($0.start), "duration": text($0.duration), "from": json($0.from),
                    "to": json($0.to),
                ]
            }
            members.append(.init(key: name + "Ramps", value: .list(ramps)))
        }
        if let fit { members.append(.init(key: "fit", value: .text(fit.rawValue))) }
        add("opacity", opacity) { .number($0) }
        add("area", self.area, area)
        add("rotation", rotation) { .number($0) }
        add("crop", crop, area)
        return .object(members)
    }
}
