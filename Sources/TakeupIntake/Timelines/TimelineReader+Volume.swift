internal import Foundation
internal import TakeupModel
internal import TakeupTimeline

/// The fields of a track that say how loud it is.
extension TimelineReader {
    /// Reads `volume` or `volumeRamps`.
    mutating func read(_ member: JSONElement.Member, into volume: inout Volume?) {
        var found = volume ?? Volume()
        if member.key == "volume" {
            if let level = level(member.element, "volume") { found.level = level }
        } else {
            found.ramps = list(member.element, "volumeRamps").compactMap { ramp($0) }
        }
        volume = found
    }

    private mutating func ramp(_ element: JSONElement) -> Volume.Ramp? {
        let names = ["start", "duration", "from", "to"]
        let found = members(of: element, "a ramp", names)
        var times: [String: MediaTime] = [:]
        var levels: [String: Double] = [:]
        for member in found {
            switch member.key {
            case "start", "duration": times[member.key] = time(member.element, member.key)
            default: levels[member.key] = level(member.element, member.key)
            }
        }
        for name in names where !found.contains(where: { $0.key == name }) {
            note(element, name, "is missing")
        }
        guard let start = times["start"], let duration = times["duration"],
            let from = levels["from"], let to = levels["to"]
        else { return nil }
        return Volume.Ramp(start: start, duration: duration, from: from, to: to)
    }

    /// Reads `duck`; the other track is counted from 1.
    mutating func ducking(_ element: JSONElement) -> Ducking? {
        var ducking = Ducking(under: -1)
        for member in members(
            of: element, "a ducking", ["under", "to", "attack", "release", "threshold"])
        {
            switch member.key {
            case "under":
                guard case .number(let text) = member.element.value, let number = Int(text),
                    (1...Composition.mostTracks).contains(number)
                else {
                    note(member.element, "duck, under", "needs the number of a track, from 1")
                    return nil
                }
                ducking.under = number - 1
            case "attack", "release":
                guard let time = time(member.element, "duck, \(member.key)") else { return nil }
                if member.key == "attack" { ducking.attack = time } else { ducking.release = time }
            default:
                guard let level = level(member.element, "duck, \(member.key)") else { return nil }
                if member.key == "to" { ducking.to = level } else { ducking.threshold = level }
            }
        }
        if ducking.under < 0 { note(element, "duck, under", "needs the number of a track, from 1") }
        return ducking
    }

    /// Reads `loop`.
    mutating func looping(_ element: JSONElement) -> Looping? {
        var looping = Looping()
        for member in members(of: element, "a loop", ["fadeOut"]) {
            guard let time = time(member.element, "loop, fadeOut") else { return nil }
            looping.fadeOut = time
        }
        return looping
    }

    private mutating func level(_ element: JSONElement, _ field: String) -> Double? {
        let text: String? =
            switch element.value {
            case .text(let text), .number(let text): text
            case .null, .flag, .cell, .list, .object: nil
            }
        guard let level = text.flatMap(Volume.level) else {
            note(element, field, "needs a factor such as 0.25, or decibels such as \"-12 dB\"")
            return nil
        }
        guard Volume.permits(level) else {
            note(element, field, "may be 0 to 10, or up to 20 dB, but is \(text ?? "")")
            return nil
        }
        return level
    }
}

extension Ducking {
    var timelineMember: JSONValue.Member {
        func text(_ time: MediaTime) -> JSONValue { .text("\(time.value)/\(time.timescale)") }
        return .init(
            key: "duck",
            value: [
                "under": .whole(under + 1), "to": .number(to), "attack": text(attack),
                "release": text(release), "threshold": .number(threshold),
            ])
    }
}

extension Looping {
    var timelineMember: JSONValue.Member {
        let time = JSONValue.text("\(fadeOut.value)/\(fadeOut.timescale)")
        return .init(key: "loop", value: ["fadeOut": time])
    }
}

extension Volume {
    /// Reads a factor or decibels; nil for other text.
    fileprivate static func level(_ text: String) -> Double? {
        let text = text.trimmingCharacters(in: .whitespaces)
        guard text.lowercased().hasSuffix("db") else { return number(text) }
        return number(text.dropLast(2).trimmingCharacters(in: .whitespaces))
            .map { pow(10, $0 / 20) }
    }

    /// Reads a decimal number; `Double` also reads hexadecimal ones, infinity and what is none.
    private static func number(_ text: String) -> Double? {
        guard text.allSatisfy({ "0123456789.+-eE".contains($0) }) else { return nil }
        return Double(text)
    }

    var timelineMembers: [JSONValue.Member] {
        func text(_ time: MediaTime) -> JSONValue { .text("\(time.value)/\(time.timescale)") }
        let level = JSONValue.Member(key: "volume", value: .number(level))
        guard !ramps.isEmpty else { return [level] }
        let ramps: [JSONValue] = ramps.map {
            [
                "start": text($0.start), "duration": text($0.duration),
                "from": .number($0.from), "to": .number($0.to),
            ]
        }
        return [level, .init(key: "volumeRamps", value: .list(ramps))]
    }
}
