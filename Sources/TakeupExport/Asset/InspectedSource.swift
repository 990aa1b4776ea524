internal import TakeupTimeline

/// The result of inspecting a source, part by part.
struct InspectedSource: Sendable, Equatable {
    /// A part of a source, read by its own demuxer.
    struct Part: Sendable, Equatable {
        /// Index of the piece, among the pieces between the seams.
        let place: Int
        var asset: InspectedAsset
    }

    /// Where each piece except the first begins.
    var seams: [SourceSeam] = []
    /// The end of a still picture that other bytes follow; nil if nothing is left out.
    var stillEnd: Int64?
    /// The readable parts in order, at least one.
    var parts: [Part]

    /// Creates the result for a source of one piece.
    init(_ asset: InspectedAsset) {
        parts = [Part(place: 0, asset: asset)]
    }

    /// - Parameters:
    ///   - seams: Where the pieces begin.
    ///   - parts: The readable parts, at least one.
    ///   - lost: Why the other parts cannot be read.
    init(_ seams: [SourceSeam], _ parts: [Part], lost: [String]) {
        self.seams = seams
        self.parts = parts
        self.parts[0].asset.description.warnings.append(
            ExportWarning(
                code: "partsJoined",
                message: "the source is \(seams.count + 1) parts one after another, each with its "
                    + "own headers or stream numbers: they are joined"))
        for index in self.parts.indices {
            let (place, count) = (parts[index].place, seams.count + 1)
            self.parts[index].asset.description.loss?.name(part: place, of: count)
            self.parts[index].asset.absent?.name(part: place, of: count)
        }
        if !lost.isEmpty {
            lose(LossReport(lostSeconds: .zero, details: lost, isTruncated: true), in: 0)
        }
        for index in self.parts.indices where parts[index].place > 0 {
            let details = Self.faults(parts[index], seams[parts[index].place - 1])
            guard !details.isEmpty else { continue }
            lose(LossReport(lostSeconds: .zero, details: details, isTruncated: false), in: index)
        }
    }

    /// Adds a warning that unknown bytes follow the source's end.
    mutating func noteTail(_ bytes: Int64) {
        guard bytes > 0 else { return }
        parts[0].asset.description.warnings.append(
            ExportWarning(
                code: "unknownTail",
                message: "\(bytes) bytes lie behind the last known element of the source, and no "
                    + "other file begins in the first \(ContainerSeams.reach) of them"))
    }

    /// Describes a part's losses at its seam, because not all of its streams begin at the seam.
    private static func faults(_ part: Part, _ seam: SourceSeam) -> [String] {
        var faults: [String] = []
        if seam.strays > 0 {
            let packets = seam.strays == 1 ? "1 packet" : "\(seam.strays) packets"
            let come = seam.strays == 1 ? "comes" : "come"
            faults.append(
                "\(packets) of streams that end where part \(part.place + 1) begins \(come) after "
                    + "its beginning")
        }
        let pictures = part.asset.undecodableHead.values.reduce(0, +)
        if pictures > 0 {
            faults.append(
                "part \(part.place + 1) begins with "
                    + (pictures == 1 ? "1 picture that builds" : "\(pictures) pictures that build")
                    + " on those before it")
        }
        return faults
    }

    private mutating func lose(_ loss: LossReport, in part: Int) {
        let (known, absent) = (parts[part].asset.description.loss, parts[part].asset.absent)
        parts[part].asset.description.loss = LossReport.beside(
            [known, loss].compactMap(\.self))
        parts[part].asset.absent = LossReport.beside([absent, loss].compactMap(\.self))
    }

    /// Describes all parts as one asset: the parts' tracks one after another.
    func description(named name: String, bytes: Int64?) -> AssetDescription {
        var whole = parts[0].asset.description
        guard !seams.isEmpty else { return whole }
        whole.name = name
        whole.bytes = bytes
        for part in parts.dropFirst() { whole.append(part.asset.description) }
        return whole
    }
}

extension AssetDescription {
    /// Appends the description of the next part.
    fileprivate mutating func append(_ next: AssetDescription) {
        let offset = startTime + duration - next.startTime
        var taken: Set<Int> = []
        for track in next.tracks {
            let known = tracks.indices.first {
                !taken.contains($0) && tracks[$0].isContinued(by: track)
            }
            if let known {
                taken.insert(known)
                tracks[known].duration = track.duration.map {
                    track.startTime + $0 + offset - tracks[known].startTime
                }
                continue
            }
            var added = track
            added.index = tracks.count
            added.startTime = track.startTime + offset
            taken.insert(tracks.count)
            tracks.append(added)
        }
        chapters += next.chapters.map {
            Chapter(start: $0.start + duration, end: $0.end + duration, title: $0.title)
        }
        duration = duration + next.duration
        warnings += next.warnings.filter { !warnings.contains($0) }
        loss = LossReport.inTurn([loss, next.loss].compactMap(\.self))
        protectionReason = protectionReason ?? next.protectionReason
        notExportableReason = notExportableReason ?? next.notExportableReason
    }
}

extension AssetTrack {
    /// Returns whether another track has the same format.
    fileprivate func isContinued(by next: AssetTrack) -> Bool {
        type == next.type && codec == next.codec && video?.width == next.video?.width
            && video?.height == next.video?.height && audio?.channels == next.audio?.channels
            && audio?.sampleRate == next.audio?.sampleRate
    }
}
