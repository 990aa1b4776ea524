internal import TakeupJobs
internal import TakeupModel
internal import TakeupTimeline

/// Reads OpenTimelineIO's form into tracks; notes everything that cannot be said.
///
/// - Note: Source: OpenTimelineIO 0.18, `docs/tutorials/otio-serialized-schema.md`.
struct OTIOReader {
    static let form = JSONCursor.Form(
        deepest: 64, longestNumber: 4096, longest: (BatchList.largestFile, "the timeline"),
        unread: ["metadata"], permitsInfinity: true)

    /// Where relative paths start; from the root.
    let folder: String
    private(set) var faults: [BatchFault] = []
    /// Markers and the like, which nothing is made of.
    private(set) var omitted: [BatchFault] = []
    private var items = 0

    init(folder: String) { self.folder = folder }

    /// The tracks from the lowest to the one on top.
    mutating func tracks(_ root: JSONElement) -> [CutTrack] {
        do throws(BatchFault) {
            let node = try OTIONode(root, "a timeline")
            guard ["Timeline", "Stack", "Track"].contains(node.schema) else {
                throw node.fault(
                    "OTIO_SCHEMA", "the file holds a \(node.schema) instead of a timeline",
                    hint: "write one timeline into the file")
            }
            return try layers(of: node)
        } catch {
            note(error)
            return []
        }
    }

    /// The tracks that lie above each other in a timeline, a stack or a track.
    private mutating func layers(of node: OTIONode) throws(BatchFault) -> [CutTrack] {
        switch node.schema {
        case "Timeline":
            if let start = node["global_start_time"] {
                omit(start, "global_start_time", "the timeline's own timecode is not written")
            }
            guard let tracks = node["tracks"] else { throw node.fault("tracks", "is missing") }
            return try layers(of: try OTIONode(tracks, "tracks"))
        case "Track": return [try track(node, place: 0)]
        default: break
        }
        try refuseEffects(node, node.title(0))
        omitMarkers(node, node.title(0))
        let range = try node.range("source_range")
        var layers: [CutTrack] = []
        for (place, child) in try node.list("children").enumerated() {
            let part = try OTIONode(child, "a layer")
            switch part.schema {
            case "Track": layers.append(try track(part, place: place))
            case "Stack": layers += try self.layers(of: part)
            default:
                throw part.fault(
                    "children", "\(part.title(place)) lies in \(node.title(0)) without a track",
                    hint: "put it into a track")
            }
        }
        // Layers begin together, and a short one shows nothing behind its end.
        let longest = layers.compactMap(\.length).max() ?? .zero
        for index in layers.indices {
            if !node.isEnabled { layers[index].isOff = true }
            guard faults.isEmpty, let range else { continue }
            layers[index] = try layers[index].filled(to: longest)
                .trimmed(to: TimeRange(start: range.start, duration: range.duration))
        }
        return layers
    }

    private mutating func track(_ node: OTIONode, place: Int) throws(BatchFault) -> CutTrack {
        let name = node.title(place)
        let media: Composition.Media
        switch node["kind"]?.value {
        case .text("Video")?, nil: media = .video
        case .text("Audio")?: media = .audio
        default:
            throw node.fault(
                "kind",
                "\(name) is of the kind \(node["kind"]?.kind ?? ""), which is neither pictures nor sound",
                hint: "take the track out, or disable it")
        }
        var track = CutTrack(name: name, line: node.line, media: media, items: [])
        track.isOff = !node.isEnabled
        try refuseEffects(node, name)
        omitMarkers(node, name)
        var joint: CutTransition?
        for (place, child) in try node.list("children").enumerated() {
            do throws(BatchFault) {
                let part = try OTIONode(child, "an item of \(name)")
                if part.schema == "Transition" {
                    let own = try transition(part, place)
                    guard joint == nil || own == nil else {
                        throw part.fault(nil, "\(part.title(place)) follows another transition")
                    }
                    joint = joint ?? own
                    continue
                }
                var found = try item(part, place, in: track)
                if let own = joint, !found.isEmpty, !track.isOff {
                    try own.join(&track.items, &found)
                    joint = nil
                }
                track.items += found
            } catch {
                // What a track that is off holds does not matter beyond its length.
                if !track.isOff { note(error.within(name)) }
            }
        }
        if let joint, !track.isOff, faults.isEmpty { try joint.end(&track.items) }
        guard faults.isEmpty, let range = try node.range("source_range") else { return track }
        return try track.trimmed(to: TimeRange(start: range.start, duration: range.duration))
    }

    private mutating func item(
        _ node: OTIONode, _ place: Int, in track: CutTrack
    ) throws(BatchFault) -> [CutTrack.Item] {
        items += 1
        guard items <= JobSpec.mostSources else {
            throw node.fault("children", "there are more than \(JobSpec.mostSources) items")
        }
        let title = node.title(place)
        do throws(BatchFault) {
            omitMarkers(node, "\(track.name), \(title)")
            switch node.schema {
            case "Gap": return try gap(node, title)
            case "Clip": return try clip(node, title, isOff: track.isOff)
            case "Stack", "Track", "Timeline": return try nested(node, title, in: track)
            default:
                throw node.fault("OTIO_SCHEMA", "a \(node.schema) cannot be exported")
            }
        } catch {
            throw error.within(title)
        }
    }

    /// Reads a transition; nil for one that is not enabled.
    private func transition(
        _ node: OTIONode, _ place: Int
    ) throws(BatchFault) -> CutTransition? {
        guard node.isEnabled else { return nil }
        let title = node.title(place)
        guard case .text("SMPTE_Dissolve")? = node["transition_type"]?.value else {
            var kind = ""
            if case .text(let text)? = node["transition_type"]?.value { kind = " (\(text))" }
            throw node.fault(
                "transition_type", "\(title)\(kind) cannot be exported: only dissolves can",
                hint: "take the transition out, or render it into a clip")
        }
        return CutTransition(
            kind: .dissolve, before: try node.time("in_offset"),
            behind: try node.time("out_offset"),
            name: title, line: node.line)
    }

    private func gap(_ node: OTIONode, _ title: String) throws(BatchFault) -> [CutTrack.Item] {
        guard let range = try node.range("source_range") else {
            throw node.fault("source_range", "is missing: a gap says how long it is")
        }
        return try empty(range.duration, node, title)
    }

    func empty(
        _ duration: MediaTime, _ node: OTIONode, _ title: String
    ) throws(BatchFault) -> [CutTrack.Item] {
        guard duration >= .zero else {
            throw node.fault("source_range", "lasts less than no time: \(duration)")
        }
        guard duration > .zero else { return [] }
        return [CutTrack.Item(segment: .empty(duration), name: title, line: node.line)]
    }

    /// Reads a stack, a track or a timeline that stands in place of a clip and holds one track.
    private mutating func nested(
        _ node: OTIONode, _ title: String, in track: CutTrack
    ) throws(BatchFault) -> [CutTrack.Item] {
        let layers = try layers(of: node)
        let live = layers.filter { !$0.isVoid }
        let lengths = layers.map(\.length)
        let longest = lengths.compactMap(\.self).max() ?? .zero
        let isKnown = !lengths.contains(nil)
        guard node.isEnabled, !track.isOff, let layer = live.first else {
            guard isKnown else {
                throw node.fault("source_range", "is not enabled, and says not how long it is")
            }
            return try empty(longest, node, title)
        }
        guard live.count == 1, layer.media == track.media, isKnown || layers.count == 1 else {
            throw node.fault(
                "children",
                "holds \(live.map(\.name).joined(separator: ", ")), but only one track of the kind of "
                    + "\(track.name) can be taken",
                hint: "flatten it in the editing program, or render it into a clip")
        }
        let short = isKnown ? longest - (layer.length ?? longest) : .zero
        return layer.items + (try empty(short, node, title))
    }

    private func refuseEffects(_ node: OTIONode, _ title: String) throws(BatchFault) {
        guard node.isEnabled else { return }
        for element in try node.list("effects") {
            let effect = try OTIONode(element, "an effect")
            if effect.isEnabled { throw effect.refusal.within(title) }
        }
    }

    private mutating func omitMarkers(_ node: OTIONode, _ title: String) {
        guard let markers = node["markers"], case .list(let elements) = markers.value,
            !elements.isEmpty
        else { return }
        let names = elements.compactMap { (try? OTIONode($0, "a marker"))?.name }
        let shown = names.prefix(3).map { QuotedWord($0).description }.joined(separator: ", ")
        omit(
            markers, "markers",
            "\(title): \(elements.count) \(elements.count == 1 ? "marker is" : "markers are") left out"
                + (shown.isEmpty ? "" : ", such as \(shown)"))
    }

    private mutating func omit(_ element: JSONElement, _ field: String, _ reason: String) {
        guard omitted.count < FaultList.most else { return }
        omitted.append(BatchFault(line: element.line, field: field, reason: reason))
    }

    private mutating func note(_ fault: BatchFault) { faults.append(fault) }
}

extension BatchFault {
    /// The same of something that has a name.
    func within(_ name: String) -> BatchFault {
        let kinds = ["track ", "clip ", "gap ", "stack ", "timeline ", "transition "]
        let separator = kinds.contains(where: reason.hasPrefix) ? ", " : ": "
        return BatchFault(
            line: line, column: column, field: field,
            reason: reason.hasPrefix(name) ? reason : "\(name)\(separator)\(reason)", hint: hint)
    }
}
