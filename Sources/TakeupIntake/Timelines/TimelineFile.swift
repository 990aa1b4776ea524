public import TakeupModel
internal import TakeupTimeline

/// A composition as people and programs write it: a file of Takeup's own form or an editing program's, or an object of
/// the own form inside a job.
public enum TimelineFile {
    /// How the names of files of the own form end, compared without case.
    public static let ending = ".takeup.json"
    /// The same for OpenTimelineIO's form.
    public static let otioEnding = ".otio"
    /// The same for edit decision lists in CMX 3600's form.
    public static let edlEnding = ".edl"
    /// The version of the form that is written and read.
    static let version = 1

    /// What a file says, and what of it nothing was made of.
    public struct Reading: Sendable, Equatable {
        public let composition: Composition
        /// Markers and the like, which change neither pictures nor sound.
        public let omitted: [BatchFault]
    }

    public static func isOne(_ path: String) -> Bool { ending(of: path) != nil }

    /// How the name of a timeline file ends; nil for other files.
    static func ending(of path: String) -> String? {
        let name = path.lowercased()
        return [ending, otioEnding, edlEnding].first { name.hasSuffix($0) }
    }

    /// Reads a file.
    ///
    /// - Parameter path: From the root; relative sources start at its folder.
    /// - Returns: The composition, its paths from the root.
    /// - Throws: `BatchListError`: the file cannot be read, or the first faults in it.
    public static func read(_ path: String) throws(BatchListError) -> Reading {
        try read(try ListFile.bytes(path), name: path) {
            FolderNames(ListPath.folder(of: path)).names
        }
    }

    /// Reads the bytes of a file.
    ///
    /// - Parameters:
    ///   - bytes: From anywhere.
    ///   - name: The file's absolute path, whose ending tells the form; relative sources start at its folder.
    ///   - names: The names of the files in that folder, for edit decision lists, which name no files.
    /// - Returns: The composition, its paths from the root.
    /// - Throws: `BatchListError.invalid` alone.
    public static func read(
        _ bytes: [UInt8], name: String, names: () -> [String]
    ) throws(BatchListError) -> Reading {
        var faults = FaultList()
        let folder = ListPath.folder(of: name)
        var omitted: [BatchFault] = []
        let composition: Composition?
        switch ending(of: name) {
        case otioEnding:
            composition = otio(bytes, folder: folder, &omitted, &faults)
        case edlEnding:
            composition = edl(bytes, name: name, names: names, &omitted, &faults)
        default: composition = parse(bytes, folder: folder, &faults)
        }
        guard let composition, faults.isEmpty else {
            throw .invalid(name, faults: faults.sorted, more: faults.more)
        }
        return Reading(composition: composition, omitted: omitted)
    }

    /// Replaces a composition that is one timeline file by what the file says; others stay as they are.
    public static func expand(
        _ composition: Composition, absolute: (String) -> String
    ) throws(BatchListError) -> Reading {
        guard let name = composition.sources.first(where: isOne) else {
            return Reading(composition: composition, omitted: [])
        }
        guard composition == Composition(joining: [name]) else {
            throw .unfit(
                name,
                reason: "a timeline stands alone: it cannot be joined or give one kind of track",
                hint: "write its segments into one timeline")
        }
        return try read(absolute(name))
    }

    private static func parse(
        _ bytes: [UInt8], folder: String, _ faults: inout FaultList
    ) -> Composition? {
        value(of: bytes, form: JSONCursor.Form(), &faults).flatMap {
            composition($0, folder: folder, paths: nil, &faults)
        }
    }

    private static func otio(
        _ bytes: [UInt8], folder: String, _ omitted: inout [BatchFault], _ faults: inout FaultList
    ) -> Composition? {
        guard let element = value(of: bytes, form: OTIOReader.form, &faults) else { return nil }
        var reader = OTIOReader(folder: folder)
        let tracks = reader.tracks(element)
        for fault in reader.faults { faults.add(fault) }
        omitted = reader.omitted
        return faults.isEmpty ? CutTrack.composition(tracks, &faults) : nil
    }

    private static func edl(
        _ bytes: [UInt8], name: String, names: () -> [String], _ omitted: inout [BatchFault],
        _ faults: inout FaultList
    ) -> Composition? {
        do throws(BatchFault) {
            guard bytes.count <= EDLReader.largest else {
                throw BatchFault(
                    line: nil, reason: "it is longer than \(EDLReader.largest) bytes")
            }
            let text = try text(bytes)
            var reader = try EDLReader(
                text, name: ListPath.name(of: name), folder: ListPath.folder(of: name))
            let tracks = reader.tracks(names: names)
            for fault in reader.faults { faults.add(fault) }
            omitted = reader.omitted
            return faults.isEmpty ? CutTrack.composition(tracks, &faults) : nil
        } catch {
            faults.add(error)
            return nil
        }
    }

    private static func text(_ bytes: [UInt8]) throws(BatchFault) -> String {
        guard bytes.count <= BatchList.largestFile else {
            throw BatchFault(
                line: nil, reason: "it is longer than \(BatchList.largestFile) bytes")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw BatchFault(line: nil, reason: "it is not UTF-8", hint: "save it as UTF-8")
        }
        return text
    }

    private static func value(
        of bytes: [UInt8], form: JSONCursor.Form, _ faults: inout FaultList
    ) -> JSONElement? {
        do throws(BatchFault) {
            _ = try text(bytes)
            let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
            var cursor = JSONCursor(bytes, from: start, form: form)
            guard !cursor.isAtEnd() else { throw BatchFault(line: nil, reason: "it is empty") }
            let element = try cursor.job()
            for note in cursor.notes { faults.add(note) }
            guard cursor.isAtEnd() else { throw cursor.fault("nothing may follow the value") }
            return element
        } catch {
            faults.add(error)
            return nil
        }
    }

    /// Reads the object.
    ///
    /// - Parameters:
    ///   - element: `{"version": 1, "tracks": [{"media": "all", "segments": [{"source": …}]}]}`.
    ///   - folder: Where relative sources start; from the root.
    ///   - paths: Knows uploads; nil for a caller who may name every path.
    ///   - faults: Gets everything that is wrong.
    /// - Returns: nil if something is.
    static func composition(
        _ element: JSONElement, folder: String, paths: PathRule?, _ faults: inout FaultList
    ) -> Composition? {
        var reader = TimelineReader(folder: folder, paths: paths)
        let composition = reader.composition(element)
        for fault in reader.faults { faults.add(fault) }
        guard reader.faults.isEmpty else { return nil }
        if let fault = composition.fault {
            let field = composition.textFault == nil ? "tracks" : nil
            faults.add(BatchFault(line: element.line, field: field, reason: fault))
            return nil
        }
        return composition
    }
}

extension Composition {
    /// The composition as `TimelineFile` reads it.
    package var timelineJSON: JSONValue {
        .object(
            [.init(key: "version", value: .whole(TimelineFile.version))]
                + (background.map { [.init(key: "background", value: .text("\($0)"))] } ?? [])
                + [.init(key: "tracks", value: .list(tracks.map(\.timelineJSON)))] + textMembers)
    }

    /// Whether it is more than whole sources joined in order.
    package var needsTimeline: Bool {
        self != Composition(joining: mediaSources)
    }
}

extension Composition.Track {
    fileprivate var timelineJSON: JSONValue {
        let shown = layout.map { [JSONValue.Member(key: "layout", value: $0.timelineJSON)] }
        return .object(
            [.init(key: "media", value: .text(media.rawValue))] + (volume?.timelineMembers ?? [])
                + (duck.map { [$0.timelineMember] } ?? [])
                + (loop.map { [$0.timelineMember] } ?? []) + (shown ?? []) + [
                    .init(key: "segments", value: .list(timelineSegments))
                ])
    }
}

extension Composition.Segment {
    var timelineJSON: JSONValue {
        func text(_ time: MediaTime) -> JSONValue { .text("\(time.value)/\(time.timescale)") }
        var members: [JSONValue.Member] = []
        if isEmpty { return .object([.init(key: "empty", value: text(duration ?? .zero))]) }
        if let source { members.append(.init(key: "source", value: .text(source))) }
        if let timecodeRate {
            let words = "\(timecodeRate.numerator)/\(timecodeRate.denominator)"
            members.append(.init(key: "timecode", value: .text(words)))
        }
        if let range {
            members.append(.init(key: "start", value: text(range.start)))
            if let own = range.duration { members.append(.init(key: "duration", value: text(own))) }
        }
        if let most { members.append(.init(key: "atMost", value: text(most))) }
        if let speed {
            let words = "\(speed.numerator)/\(speed.denominator)"
            members.append(.init(key: "speed", value: .text(words)))
        }
        if let pitch { members.append(.init(key: "pitch", value: .text(pitch.rawValue))) }
        if let layout { members.append(.init(key: "layout", value: layout.timelineJSON)) }
        return .object(members)
    }
}
