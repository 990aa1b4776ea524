internal import TakeupFiles
internal import TakeupJobs
internal import TakeupModel
internal import TakeupTimeline

/// Reads the object of a timeline; notes everything that is wrong.
struct TimelineReader {
    let folder: String
    let paths: PathRule?
    private(set) var faults: [BatchFault] = []
    /// The track and the segment that are read, for messages.
    private var place: [String] = []

    init(folder: String, paths: PathRule?) { (self.folder, self.paths) = (folder, paths) }

    mutating func composition(_ element: JSONElement) -> Composition {
        var tracks: [Composition.Track] = []
        var (hasVersion, hasTracks) = (false, false)
        var background: PictureColor?
        var (titles, subtitles): ([Title], [Subtitles]) = ([], [])
        let names = ["version", "background", "tracks", "titles", "subtitles", "$schema"]
        for member in members(of: element, "a timeline", names) {
            switch member.key {
            case "version":
                hasVersion = true
                if case .number("\(TimelineFile.version)") = member.element.value { continue }
                note(
                    member.element, "version",
                    "needs \(TimelineFile.version), but holds \(member.element.kind)")
            // For editors, which know the schema by it.
            case "$schema": continue
            case "background": background = color(member.element, "background")
            case "titles": titles = self.titles(member.element)
            case "subtitles": subtitles = self.subtitles(member.element)
            default:
                hasTracks = true
                tracks = list(member.element, "tracks").enumerated().map { number, element in
                    place = ["track \(number + 1)"]
                    return track(element)
                }
                place = []
            }
        }
        if !hasVersion { note(element, "version", "is missing", hint: "write \"version\": 1") }
        if !hasTracks { note(element, "tracks", "is missing") }
        return Composition(
            tracks: tracks, background: background, titles: titles, subtitles: subtitles)
    }

    private mutating func track(_ element: JSONElement) -> Composition.Track {
        var track = Composition.Track(.all)
        var hasSegments = false
        let names = ["media", "volume", "volumeRamps", "duck", "loop", "layout", "segments"]
        for member in members(of: element, "a track", names) {
            switch member.key {
            case "media":
                let words = Composition.Media.allCases.map(\.rawValue)
                if case .text(let word) = member.element.value,
                    let media = Composition.Media(rawValue: word)
                {
                    track.media = media
                } else {
                    note(
                        member.element, "media", "cannot be \(member.element.kind)",
                        hint: "it may be \(words.joined(separator: ", "))")
                }
            case "volume", "volumeRamps": read(member, into: &track.volume)
            case "duck": track.duck = ducking(member.element)
            case "loop": track.loop = looping(member.element)
            case "layout": track.layout = layout(member.element)
            default:
                hasSegments = true
                track.segments = segments(list(member.element, "segments"))
            }
        }
        if !hasSegments { note(element, "segments", "is missing") }
        if track.volume?.isFull == true { track.volume = nil }
        return track
    }

    /// The segments of a list, and the transitions between them.
    private mutating func segments(_ elements: [JSONElement]) -> [Composition.Segment] {
        let own = place
        defer { place = own }
        var segments: [Composition.Segment] = []
        var joint: (element: JSONElement, transition: Transition?)?
        for element in elements {
            if case .object(let members) = element.value,
                members.contains(where: { $0.key == "transition" })
            {
                place = own + ["transition after segment \(segments.count)"]
                if segments.isEmpty || joint != nil {
                    note(
                        element, nil,
                        segments.isEmpty
                            ? "no segment is before it" : "another transition is before it",
                        hint: "put one transition between two segments")
                }
                joint = (element, transition(element))
                continue
            }
            place = own + ["segment \(segments.count + 1)"]
            var segment = segment(element)
            segment.transition = joint?.transition
            joint = nil
            segments.append(segment)
        }
        if let joint {
            place = own
            note(
                joint.element, "transition", "no segment is behind it",
                hint: "put one transition between two segments")
        }
        return segments
    }

    private mutating func segment(_ element: JSONElement) -> Composition.Segment {
        if case .text(let text) = element.value {
            return Composition.Segment(source: source(text, element))
        }
        let found = members(
            of: element, "a segment",
            [
                "source", "start", "end", "duration", "atMost", "speed", "pitch", "empty",
                "timecode", "layout",
            ])
        if let empty = found.first(where: { $0.key == "empty" }) {
            return emptyTime(empty.element, isAlone: found.count == 1)
        }
        var source: String?
        var times: [String: MediaTime] = [:]
        var last: JSONElement?
        var (speed, timecode): (Ratio?, Ratio?)
        var pitch: Composition.Segment.Pitch?
        var layout: Layout?
        for member in found {
            switch member.key {
            case "speed": speed = self.speed(member.element)
            case "pitch": pitch = self.pitch(member.element)
            case "layout": layout = self.layout(member.element)
            case "timecode": timecode = rate(member.element, startsAt: found)
            case "source":
                if case .text(let text) = member.element.value {
                    source = self.source(text, member.element)
                } else {
                    note(member.element, "source", "needs a path or an address")
                    source = ""
                }
            default:
                last = member.element
                times[member.key] = time(member.element, member.key)
            }
        }
        if source == nil { note(element, "source", "is missing") }
        let start = times["start"] ?? .zero
        var range: TimeRange?
        switch (times["end"], times["duration"]) {
        case (.some, .some):
            note(last ?? element, "duration", "cannot stand beside end", hint: "give one")
        case (let end?, nil):
            if end > start {
                range = TimeRange(start: start, end: end)
            } else {
                note(last ?? element, "end", "has to be after start")
            }
        case (nil, let duration?):
            if duration > .zero {
                range = TimeRange(start: start, duration: duration)
            } else {
                note(last ?? element, "duration", "has to be more than 0")
            }
        case (nil, nil): range = start > .zero ? TimeRange(start: start) : nil
        }
        if timecode != nil, range == nil { range = TimeRange(start: .zero) }
        var segment = Composition.Segment(source: source ?? "", range: range, speed: speed)
        (segment.timecodeRate, segment.layout) = (timecode, layout)
        segment.most = times["atMost"]
        if pitch == .follow, segment.changesSpeed { segment.pitch = pitch }
        return segment
    }

    mutating func source(
        _ text: String, _ element: JSONElement, _ field: String = "source"
    ) -> String {
        if let paths, text.hasPrefix("upload:") {
            do throws(FileError) {
                if let place = try paths.upload(text.dropFirst("upload:".count)) { return place }
            } catch {
                let field = (place + [field]).joined(separator: ", ")
                faults.append(BatchFault(unreadable: error, line: element.line, field: field))
                return ""
            }
            note(element, field, "names an upload that is not there, or not complete")
            return ""
        }
        do throws(BatchFault) {
            return try TimelineSource.place(text, from: folder)
        } catch {
            note(element, field, error.reason, hint: error.hint)
            return ""
        }
    }

    /// Reads something that messages name.
    mutating func within<Value>(_ name: String, _ body: (inout Self) -> Value) -> Value {
        place.append(name)
        defer { place.removeLast() }
        return body(&self)
    }

    mutating func time(_ element: JSONElement, _ field: String) -> MediaTime? {
        let text: String? =
            switch element.value {
            case .text(let text), .number(let text): text
            case .null, .flag, .cell, .list, .object: nil
            }
        if let time = text.flatMap({ MediaTime(parsing: $0) }) { return time }
        note(element, field, "needs a time such as 12.5, \"1:02:03.250\" or \"1001/30000\"")
        return nil
    }

    mutating func list(
        _ element: JSONElement, _ field: String, most: Int = JobSpec.mostSources
    ) -> [JSONElement] {
        guard case .list(let elements) = element.value, (1...most).contains(elements.count)
        else {
            note(element, field, "needs a list of 1 to \(most)")
            return []
        }
        return elements
    }

    /// The members of an object, those that it may not have left out.
    mutating func members(
        of element: JSONElement, _ what: String, _ names: [String]
    ) -> [JSONElement.Member] {
        guard case .object(let members) = element.value else {
            note(element, nil, "\(what) is an object in { }, but here stands \(element.kind)")
            return []
        }
        return members.filter { member in
            if names.contains(member.key) { return true }
            let nearest = Spelling.nearest(to: member.key, among: names)
            note(
                member.element, nil, "\(what) has no \(QuotedWord(member.key))",
                hint: nearest.map { "did you mean '\($0)'?" }
                    ?? "it may hold \(names.joined(separator: ", "))")
            return false
        }
    }

    mutating func note(
        _ element: JSONElement, _ field: String?, _ reason: String, hint: String? = nil
    ) {
        let words = place + [field].compactMap(\.self)
        faults.append(
            BatchFault(
                line: element.line, field: words.isEmpty ? nil : words.joined(separator: ", "),
                reason: reason, hint: hint))
    }
}
