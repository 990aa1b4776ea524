internal import TakeupModel
internal import TakeupTimeline

/// A track of another program's timeline: its cuts one after another.
struct CutTrack {
    /// Something on a track, with what names it in messages.
    struct Item {
        var segment: Composition.Segment
        /// Such as `clip 'shot 3'`.
        let name: String
        let line: Int?

        var length: MediaTime? { segment.length }
    }

    /// Such as `track 'V1'`.
    let name: String
    let line: Int?
    /// Pictures or sound.
    let media: Composition.Media
    var items: [Item]
    /// Whether nothing of it is seen or heard.
    var isOff = false

    /// Whether it holds no source.
    var isVoid: Bool { isOff || items.allSatisfy(\.segment.isEmpty) }

    /// How long it lasts; nil where only a source tells.
    var length: MediaTime? {
        items.reduce(.zero) { total, item in
            total.flatMap { total in
                item.length.map { total + $0 - (item.segment.transition?.duration ?? .zero) }
            }
        }
    }

    /// Whether any of its items overlaps the one before.
    private var hasTransitions: Bool { items.contains { $0.segment.transition != nil } }

    /// The track with empty time at its end, up to a length.
    func filled(to longest: MediaTime) -> CutTrack {
        guard let length, length < longest else { return self }
        var filled = self
        filled.items.append(Item(segment: .empty(longest - length), name: "a gap", line: nil))
        return filled
    }

    /// The part of the track from a time on.
    ///
    /// - Throws: Why there is none.
    func trimmed(to range: TimeRange) throws(BatchFault) -> CutTrack {
        guard let length, let end = range.end else {
            throw fault("is cut, but holds a source whose length is not stated")
        }
        guard !hasTransitions else {
            throw fault(
                "is cut, but has transitions", field: "source_range",
                hint: "flatten it in the editing program")
        }
        guard range.start >= .zero, end <= length else {
            throw fault(
                "is cut from \(range.start) to \(end), but lasts \(length)", field: "source_range")
        }
        var (trimmed, position) = (self, MediaTime.zero)
        trimmed.items = []
        for item in items {
            let own = item.length ?? .zero
            let (first, last) = (
                max(position, range.start) - position, min(position + own, end) - position
            )
            position = position + own
            guard first < last else { continue }
            var part = item
            if last < own { part.segment = part.segment.divided(at: last).0 }
            if first > .zero { part.segment = part.segment.divided(at: first).1 }
            trimmed.items.append(part)
        }
        return trimmed
    }

    func fault(_ reason: String, field: String? = nil, hint: String? = nil) -> BatchFault {
        BatchFault(line: line, field: field, reason: "\(name) \(reason)", hint: hint)
    }
}

extension CutTrack {
    /// Makes what can be exported of the tracks of a timeline.
    ///
    /// Tracks without sources count for nothing. Tracks of one kind that never hold something at the same time are one;
    /// other tracks of pictures lie above each other. Sound that is cut as pictures are, of the same sources, is one track
    /// with them; other sound is mixed.
    ///
    /// - Parameters:
    ///   - tracks: From the lowest to the one on top.
    ///   - faults: Gets why there is none.
    /// - Returns: nil if there is a fault.
    static func composition(_ tracks: [CutTrack], _ faults: inout FaultList) -> Composition? {
        do throws(BatchFault) {
            return try composition(tracks.filter { !$0.isVoid })
        } catch {
            faults.add(error)
            return nil
        }
    }

    private static func composition(_ tracks: [CutTrack]) throws(BatchFault) -> Composition {
        guard !tracks.isEmpty else {
            throw BatchFault(line: nil, reason: "it has no sources: all tracks are empty")
        }
        let pictures = tracks.filter { $0.media == .video }
        var sounds = heard(tracks.filter { $0.media == .audio })
        guard !pictures.isEmpty else { return try checked(sounds.map { ($0, .audio) }) }
        let one = try? joined(pictures)
        var shown: [(CutTrack, Composition.Media)] = []
        for picture in one.map({ [$0] }) ?? pictures {
            guard let place = sounds.firstIndex(where: picture.isSame) else {
                shown.append((picture, .video))
                continue
            }
            let sound = sounds.remove(at: place)
            let isLonger = (picture.length ?? .zero) >= (sound.length ?? .zero)
            shown.append((isLonger ? picture : sound, .all))
        }
        return try checked(shown + sounds.map { ($0, .audio) })
    }

    /// The tracks of sound that are mixed: each once, or one track if their sources never overlap.
    private static func heard(_ tracks: [CutTrack]) -> [CutTrack] {
        var distinct: [CutTrack] = []
        for track in tracks.sorted(by: { ($0.length ?? .zero) > ($1.length ?? .zero) })
        where !distinct.contains(where: track.isSame) {
            distinct.append(track)
        }
        guard distinct.count > 1, let joined = try? joined(distinct) else { return distinct }
        return [joined]
    }

    private static func checked(
        _ tracks: [(CutTrack, Composition.Media)]
    ) throws(BatchFault) -> Composition {
        let made = Composition(tracks: tracks.map { $0.track($1) })
        if let fault = made.fault { throw BatchFault(line: nil, reason: fault) }
        return made
    }

    private func track(_ media: Composition.Media) -> Composition.Track {
        Composition.Track(media, segments: settled.map(\.segment))
    }

    /// The items, neighbouring empty times as one.
    private var settled: [Item] {
        var settled: [Item] = []
        for item in items {
            if item.segment.isEmpty, item.segment.transition == nil, let own = item.length,
                let last = settled.last, last.segment.isEmpty, let before = last.length
            {
                settled[settled.count - 1].segment = .empty(before + own)
                settled[settled.count - 1].segment.transition = last.segment.transition
            } else {
                settled.append(item)
            }
        }
        return settled
    }

    /// The segments without the empty time behind the last source.
    private var cuts: [Item] {
        let settled = settled
        let isIdle =
            settled.last.map { $0.segment.isEmpty && $0.segment.transition == nil } ?? false
        return isIdle ? settled.dropLast() : settled
    }

    private func isSame(as other: CutTrack) -> Bool {
        cuts.map(\.segment) == other.cuts.map(\.segment)
    }

    /// One track of tracks whose sources never overlap.
    private static func joined(_ tracks: [CutTrack]) throws(BatchFault) -> CutTrack {
        guard tracks.count > 1 else { return tracks[0] }
        if let track = tracks.first(where: \.hasTransitions) {
            throw track.fault("lies beside another track, but has transitions")
        }
        var placed: [(start: MediaTime, end: MediaTime, item: Item, track: CutTrack)] = []
        for track in tracks {
            var position = MediaTime.zero
            for item in track.items {
                guard let length = item.length else {
                    throw track.fault(
                        "lies beside another track, but the length of \(item.name) is not stated")
                }
                let start = position
                position = position + length
                if !item.segment.isEmpty { placed.append((start, position, item, track)) }
            }
        }
        placed.sort { $0.start < $1.start }
        var (joined, position) = (tracks[0], MediaTime.zero)
        joined.items = []
        for (index, piece) in placed.enumerated() {
            guard piece.start >= position else {
                let before = placed[index - 1]
                throw piece.track.overlap(
                    piece.item, with: before.item, of: before.track, at: piece.start)
            }
            if piece.start > position {
                joined.items.append(
                    Item(segment: .empty(piece.start - position), name: "a gap", line: nil))
            }
            joined.items.append(piece.item)
            position = piece.end
        }
        return joined.filled(to: tracks.compactMap(\.length).max() ?? position)
    }

    private func overlap(
        _ item: Item, with other: Item, of track: CutTrack, at time: MediaTime
    ) -> BatchFault {
        BatchFault(
            line: item.line, field: "tracks",
            reason:
                "\(name), \(item.name): begins at \(time), where \(other.name) of \(track.name) has "
                + "pictures too",
            hint: "flatten these tracks into one in the editing program")
    }
}
