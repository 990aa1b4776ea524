internal import TakeupCurl
internal import TakeupFiles
internal import TakeupJobs
internal import TakeupModel
internal import TakeupTimeline

/// Reads the object of a timeline; notes everything that is wrong.
struct TimelineReader {
    let folder: String
    let paths: PathRule?
    private(set) var faults: [BatchFault] = []

    init(folder: String, paths: PathRule?) { (self.folder, self.paths) = (folder, paths) }

    mutating func composition(_ element: JSONElement) -> Composition {
        var tracks: [Composition.Track] = []
        var (hasVersion, hasTracks) = (false, false)
        for member in members(of: element, "a timeline", ["version", "tracks"]) {
            switch member.key {
            case "version":
                hasVersion = true
                if case .number("\(TimelineFile.version)") = member.element.value { continue }
                note(
                    member.element, "version",
                    "needs \(TimelineFile.version), but holds \(member.element.kind)")
            default:
                hasTracks = true
                tracks = list(member.element, "tracks").map { track($0) }
            }
        }
        if !hasVersion { note(element, "version", "is missing", hint: "write \"version\": 1") }
        if !hasTracks { note(element, "tracks", "is missing") }
        return Composition(tracks: tracks)
    }

    private mutating func track(_ element: JSONElement) -> Composition.Track {
        var track = Composition.Track(.all)
        var hasSegments = false
        let names = ["media", "volume", "volumeRamps", "segments"]
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
            default:
                hasSegments = true
                track.segments = list(member.element, "segments").map { segment($0) }
            }
        }
        if !hasSegments { note(element, "segments", "is missing") }
        if track.volume?.isFull == true { track.volume = nil }
        return track
    }

    private mutating func segment(_ element: JSONElement) -> Composition.Segment {
        if case .text(let text) = element.value {
            return Composition.Segment(source: source(text, element))
        }
        let found = members(
            of: element, "a segment", ["source", "start", "end", "duration", "speed", "empty"])
        if let empty = found.first(where: { $0.key == "empty" }) {
            return emptyTime(empty.element, isAlone: found.count == 1)
        }
        var source: String?
        var times: [String: MediaTime] = [:]
        var last: JSONElement?
        var speed: Ratio?
        for member in found {
            switch member.key {
            case "speed": speed = self.speed(member.element)
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
        return Composition.Segment(source: source ?? "", range: range, speed: speed)
    }

    private mutating func emptyTime(
        _ element: JSONElement, isAlone: Bool
    ) -> Composition.Segment {
        if !isAlone {
            note(element, "empty", "cannot stand beside other fields", hint: "give it alone")
        }
        guard let time = time(element, "empty") else { return .empty(.zero) }
        if time <= .zero { note(element, "empty", "has to be more than 0") }
        return .empty(time)
    }

    private mutating func speed(_ element: JSONElement) -> Ratio? {
        let text: String? =
            switch element.value {
            case .text(let text), .number(let text): text
            case .null, .flag, .cell, .list, .object: nil
            }
        guard let text, !text.contains(":"), let times = MediaTime(parsing: text) else {
            note(element, "speed", "needs a number such as 2, 1.25 or \"1/2\"")
            return nil
        }
        let speed = Ratio(times.value, times.timescale)
        guard Composition.permits(speed) else {
            note(element, "speed", "may be 1/100 to 100, but is \(text)")
            return nil
        }
        return speed
    }

    private mutating func source(_ text: String, _ element: JSONElement) -> String {
        if SourceText.isAddress(text) {
            do throws(CurlError) {
                return try WebAddress(text).text
            } catch {
                note(
                    element, "source", "is an address that cannot be fetched: \(error.reason)",
                    hint: "give an http or https address without user and password")
                return ""
            }
        }
        if let paths, text.hasPrefix("upload:") {
            do throws(FileError) {
                if let place = try paths.upload(text.dropFirst("upload:".count)) { return place }
            } catch {
                faults.append(BatchFault(unreadable: error, line: element.line, field: "source"))
                return ""
            }
            note(element, "source", "names an upload that is not there, or not complete")
            return ""
        }
        let name = text.lowercased()
        if let fault = ListPath.fault(text) {
            note(element, "source", fault)
        } else if TimelineFile.isOne(text) || name.hasSuffix(".otio") {
            note(
                element, "source", "a timeline cannot hold another timeline",
                hint: "write its segments here")
        } else {
            return ListPath.absolute(text, from: folder)
        }
        return ""
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

    mutating func list(_ element: JSONElement, _ field: String) -> [JSONElement] {
        guard case .list(let elements) = element.value,
            (1...JobSpec.mostSources).contains(elements.count)
        else {
            note(element, field, "needs a list of 1 to \(JobSpec.mostSources)")
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
        faults.append(
            BatchFault(line: element.line, field: field, reason: reason, hint: hint))
    }
}
