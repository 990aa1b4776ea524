internal import TakeupModel
internal import TakeupTimeline

extension OTIOReader {
    func clip(
        _ node: OTIONode, _ title: String, isOff: Bool
    ) throws(BatchFault) -> [CutTrack.Item] {
        let reference = try media(of: node)
        let available = try reference?.range("available_range")
        let taken = try node.range("source_range")
        guard node.isEnabled, !isOff else {
            guard let range = taken ?? available else {
                throw node.fault(
                    "source_range",
                    "is missing: the clip is not enabled, and says not how long it is")
            }
            return try empty(range.duration, node, title)
        }
        let source = try place(of: reference, in: node)
        let speed = try speed(of: node)
        guard let range = taken ?? available else {
            let segment = Composition.Segment(source: source, range: nil, speed: speed)
            return [CutTrack.Item(segment: segment, name: title, line: node.line)]
        }
        let start = range.start - (available?.start ?? .zero)
        guard start >= .zero else {
            throw node.fault(
                "source_range", "begins \(MediaTime.zero - start) before its media",
                hint: "let it begin at or after available_range")
        }
        guard range.duration > .zero else {
            throw node.fault("source_range", "lasts no time", hint: "take the clip out")
        }
        let part = TimeRange(start: start, duration: range.duration.taken(at: speed))
        let segment = Composition.Segment(source: source, range: part, speed: speed)
        return [CutTrack.Item(segment: segment, name: title, line: node.line)]
    }

    /// What a clip plays; nil where it says nothing.
    private func media(of node: OTIONode) throws(BatchFault) -> OTIONode? {
        guard let all = node["media_references"] else {
            return try node["media_reference"].map { (element) throws(BatchFault) in
                try OTIONode(element, "media_reference")
            }
        }
        guard case .object(let members) = all.value else {
            throw node.fault("media_references", "needs an object, but holds \(all.kind)")
        }
        var key = "DEFAULT_MEDIA"
        if case .text(let text)? = node["active_media_reference_key"]?.value { key = text }
        guard let found = members.first(where: { $0.key == key }) else {
            throw node.fault(
                "active_media_reference_key", "there is no media reference \(QuotedWord(key))")
        }
        if case .null = found.element.value { return nil }
        return try OTIONode(found.element, "a media reference")
    }

    private func place(of reference: OTIONode?, in node: OTIONode) throws(BatchFault) -> String {
        let field = node["media_references"] == nil ? "media_reference" : "media_references"
        guard let reference, reference.schema != "MissingReference" else {
            throw node.fault(
                field, "has no media: its reference is missing",
                hint: "link the clip to its file in the editing program")
        }
        guard reference.schema == "ExternalReference" else {
            let kind =
                reference.schema == "GeneratorReference" ? "generated pictures" : reference.schema
            throw node.fault(
                field, "its media is no file, but \(kind), which cannot be exported",
                hint: "render it into a file")
        }
        guard case .text(let url)? = reference["target_url"]?.value else {
            throw reference.fault("target_url", "needs a path or an address")
        }
        do throws(BatchFault) {
            return try TimelineSource.place(url: url, from: folder)
        } catch {
            throw reference.fault("target_url", error.reason, hint: error.hint)
        }
    }

    /// How many times faster than its own a clip plays; nil for its own speed.
    private func speed(of node: OTIONode) throws(BatchFault) -> Ratio? {
        var speed: Ratio?
        for element in try node.list("effects") {
            let effect = try OTIONode(element, "an effect")
            guard effect.isEnabled else { continue }
            guard effect.schema == "LinearTimeWarp", speed == nil else {
                throw effect.refusal
            }
            let scalar = try effect.number("time_scalar")
            guard let ratio = Ratio(nearest: scalar), ratio.numerator > 0,
                Composition.permits(ratio)
            else {
                throw effect.fault(
                    "time_scalar", "may be 1/100 to 100, but is \(scalar)",
                    hint: scalar > 0
                        ? nil : "render the clip into a file: it stands still or runs backwards")
            }
            speed = ratio
        }
        return speed
    }
}

extension OTIONode {
    /// Why an effect cannot be taken.
    var refusal: BatchFault {
        let name = name.map { " \(QuotedWord($0))" } ?? ""
        let what =
            switch schema {
            case "FreezeFrame": "frozen pictures"
            case "LinearTimeWarp": "this speed"
            default: "the effect\(name) (\(schema))"
            }
        return fault(
            "effects", "\(what) cannot be exported",
            hint: "take the effect out or disable it, or render it into a clip")
    }
}
