public import TakeupModel
internal import TakeupTimeline

/// A composition as people and programs write it: a file `NAME.takeup.json`, or the same object inside a job.
public enum TimelineFile {
    /// How the names of such files end, compared without case.
    public static let ending = ".takeup.json"
    /// The version of the form that is written and read.
    static let version = 1

    public static func isOne(_ path: String) -> Bool { path.lowercased().hasSuffix(ending) }

    /// Reads a file.
    ///
    /// - Parameter path: From the root; relative sources start at its folder.
    /// - Returns: The composition, its paths from the root.
    /// - Throws: `BatchListError`: the file cannot be read, or the first faults in it.
    public static func read(_ path: String) throws(BatchListError) -> Composition {
        let bytes = try ListFile.bytes(path)
        var faults = FaultList()
        if let composition = parse(bytes, folder: ListPath.folder(of: path), &faults),
            faults.isEmpty
        {
            return composition
        }
        throw .invalid(path, faults: faults.sorted, more: faults.more)
    }

    /// Replaces a composition that is one timeline file by what the file says; others stay as they are.
    public static func expand(
        _ composition: Composition, absolute: (String) -> String
    ) throws(BatchListError) -> Composition {
        guard let name = composition.sources.first(where: isOne) else { return composition }
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
        do throws(BatchFault) {
            guard String(validating: bytes, as: UTF8.self) != nil else {
                throw BatchFault(line: nil, reason: "it is not UTF-8", hint: "save it as UTF-8")
            }
            guard bytes.count <= BatchList.largestFile else {
                throw BatchFault(
                    line: nil, reason: "it is longer than \(BatchList.largestFile) bytes")
            }
            var cursor = JSONCursor(bytes, from: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
            guard !cursor.isAtEnd() else { throw BatchFault(line: nil, reason: "it is empty") }
            let element = try cursor.job()
            for note in cursor.notes { faults.add(note) }
            guard cursor.isAtEnd() else { throw cursor.fault("nothing may follow the value") }
            return composition(element, folder: folder, paths: nil, &faults)
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
            faults.add(BatchFault(line: element.line, field: "tracks", reason: fault))
            return nil
        }
        return composition
    }
}

extension Composition {
    /// The composition as `TimelineFile` reads it.
    package var timelineJSON: JSONValue {
        [
            "version": .whole(TimelineFile.version),
            "tracks": .list(
                tracks.map { track in
                    .object(
                        [.init(key: "media", value: .text(track.media.rawValue))]
                            + (track.volume?.timelineMembers ?? [])
                            + [
                                .init(
                                    key: "segments",
                                    value: .list(track.segments.map(\.timelineJSON)))
                            ])
                }),
        ]
    }

    /// Whether it is more than whole sources joined in order.
    package var needsTimeline: Bool {
        self != Composition(joining: sources)
    }
}

extension Composition.Segment {
    fileprivate var timelineJSON: JSONValue {
        func text(_ time: MediaTime) -> JSONValue { .text("\(time.value)/\(time.timescale)") }
        var members: [JSONValue.Member] = []
        if isEmpty { return .object([.init(key: "empty", value: text(duration ?? .zero))]) }
        if let source { members.append(.init(key: "source", value: .text(source))) }
        if let range {
            members.append(.init(key: "start", value: text(range.start)))
            if let own = range.duration { members.append(.init(key: "duration", value: text(own))) }
        }
        if let speed {
            let words = "\(speed.numerator)/\(speed.denominator)"
            members.append(.init(key: "speed", value: .text(words)))
        }
        return .object(members)
    }
}
