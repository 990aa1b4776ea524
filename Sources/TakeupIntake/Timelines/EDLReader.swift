internal import TakeupJobs
internal import TakeupModel
internal import TakeupTimeline

/// Reads an edit decision list in CMX 3600's form into tracks; notes everything that cannot be said.
struct EDLReader {
    /// The most bytes of a list.
    static let largest = 8_000_000

    private let folder: String
    private let clock: EDLClock
    private var events: [EDLEvent] = []
    private(set) var faults: [BatchFault] = []
    /// Locators and the like, which nothing is made of.
    private(set) var omitted: [BatchFault] = []

    /// Texts that name an event's file, the surest first.
    private static let naming = ["SOURCE FILE:", "FROM FILE:", "FROM CLIP:", "FROM CLIP NAME:"]
    private static let namingNext = ["TO FILE:", "TO CLIP:", "TO CLIP NAME:"]
    /// Texts that change what is seen or heard, or mark it.
    private static let unread = [
        "LOC:": "a locator", "ASC_SOP": "a change of colours", "ASC_SAT": "a change of colours",
        "AUDIO LEVEL": "a volume", "OPACITY LEVEL": "an opacity",
    ]
    /// Lines that say nothing more than the events do.
    private static let idle = ["TITLE:", "FCM:", "SPLIT:", "FRAME RATE:", "EFFECTS NAME IS"]

    /// Reads all lines.
    ///
    /// - Throws: When its frame rate is not known.
    init(_ text: String, name: String, folder: String) throws(BatchFault) {
        self.folder = folder
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .map { $0.drop { $0.isWhitespace || $0 == "\u{FEFF}" } }
        clock = try EDLClock(lines, name: name)
        for (index, line) in lines.enumerated() where faults.count <= FaultList.most {
            do throws(BatchFault) {
                try read(line, index + 1)
            } catch {
                faults.append(error)
            }
        }
        if events.isEmpty, faults.isEmpty {
            throw BatchFault(line: nil, reason: "it has no events")
        }
    }

    private mutating func read(_ line: Substring, _ number: Int) throws(BatchFault) {
        let words = line.split(whereSeparator: \.isWhitespace)
        guard let first = words.first else { return }
        if first.allSatisfy(\.isNumber) {
            guard events.count < JobSpec.mostSources else {
                throw BatchFault(
                    line: number, reason: "there are more than \(JobSpec.mostSources) events")
            }
            return events.append(try EDLEvent(words, line: number, clock: clock))
        }
        switch first.uppercased() {
        case "M2": return try readSpeed(words, number)
        case "AUD":
            guard !events.isEmpty else { return }
            for word in words.dropFirst() where Int(word) != nil {
                events[events.count - 1].channels.append("A\(word)")
            }
        default: try readWords(line, number)
        }
    }

    private mutating func readSpeed(_ words: [Substring], _ number: Int) throws(BatchFault) {
        guard words.count >= 4, let event = events.last, let speed = Double(words[words.count - 2]),
            let trigger = clock.frame(words[words.count - 1])
        else {
            throw BatchFault(
                line: number, field: "M2",
                reason: "needs a reel, a speed and a time, behind an event")
        }
        guard trigger == event.source.lowerBound else {
            throw event.fault("its speed changes within it", line: number, hint: "cut it there")
        }
        guard event.speed == nil else {
            throw event.fault("has two speeds", line: number)
        }
        events[events.count - 1].speed = (speed, number)
    }

    /// Reads comments, and what looks like one.
    private mutating func readWords(_ line: Substring, _ number: Int) throws(BatchFault) {
        let isComment = line.hasPrefix("*") || line.hasPrefix(">")
        let text = line.drop { $0 == "*" || $0.isWhitespace }
        let upper = text.uppercased()
        // Behind a transition, what it leads to has names of its own.
        let naming = events.last?.transition == nil ? Self.naming : Self.namingNext
        if let rank = naming.firstIndex(where: upper.hasPrefix) {
            let name = text.dropFirst(naming[rank].count).drop(while: \.isWhitespace)
            guard !events.isEmpty, !name.isEmpty else { return }
            let end = name.lastIndex { !$0.isWhitespace }.map(name.index(after:)) ?? name.endIndex
            events[events.count - 1].files.append((rank, String(name[..<end])))
        } else if upper.hasPrefix("FREEZE FRAME"), let event = events.last {
            throw event.fault(
                "frozen pictures cannot be exported", line: number, hint: "render it into a clip")
        } else if let (_, what) = Self.unread.first(where: { upper.hasPrefix($0.key) }) {
            let place = events.last.map { "event \($0.number): " } ?? ""
            guard omitted.count < FaultList.most else { return }
            omitted.append(
                BatchFault(
                    line: number, reason: "\(place)\(what) is left out: \(QuotedWord(String(text)))"
                ))
        } else if !isComment, !Self.idle.contains(where: upper.hasPrefix) {
            throw BatchFault(
                line: number,
                reason: "this is neither an event nor a comment: \(QuotedWord(String(line)))",
                hint: "a comment begins with *")
        }
    }

    /// The tracks of all channels.
    ///
    /// - Parameter names: The names of the files in the list's folder; asked for once.
    /// - Returns: None where there are faults.
    mutating func tracks(names: () -> [String]) -> [CutTrack] {
        guard faults.isEmpty else { return [] }
        let files = EDLFiles(folder: folder, names: names())
        var fromBlack: Set<Int> = []
        for (event, next) in zip(events, events.dropFirst())
        where next.transition != nil && event.number == next.number && event.record.isEmpty {
            if event.isBlack {
                fromBlack.insert(next.line)
            } else if let fault = beginning(event, next) {
                faults.append(fault)
            }
        }
        guard faults.isEmpty else { return [] }
        let recorded = events.filter { !$0.channels.isEmpty && !$0.record.isEmpty }
        guard let origin = recorded.map(\.record.lowerBound).min() else { return [] }
        var tracks: [(channel: String, track: CutTrack, end: Int)] = []
        for event in recorded.sorted(by: { $0.record.lowerBound < $1.record.lowerBound }) {
            do throws(BatchFault) {
                let item = try event.item(event.isBlack ? "" : files.place(of: event), clock)
                for channel in event.channels {
                    let place = tracks.firstIndex { $0.channel == channel } ?? tracks.count
                    if place == tracks.count {
                        tracks.append((channel, Self.track(channel), origin))
                    }
                    let gap = event.record.lowerBound - tracks[place].end
                    guard gap >= 0 else {
                        throw event.fault("begins before the event ahead of it on \(channel) ends")
                    }
                    if gap > 0 {
                        tracks[place].track.items.append(
                            CutTrack.Item(
                                segment: .empty(clock.time(gap)), name: "a gap", line: nil))
                    }
                    var items = [item]
                    if let (kind, frames) = event.transition {
                        let joint = CutTransition(
                            kind: channel.hasPrefix("V") ? kind : .dissolve, before: .zero,
                            behind: clock.time(frames), name: item.name, line: item.line)
                        if fromBlack.contains(event.line) {
                            tracks[place].track.items.append(
                                CutTrack.Item(segment: .empty(.zero), name: "black", line: nil))
                        }
                        try joint.join(&tracks[place].track.items, &items)
                    }
                    tracks[place].track.items += items
                    tracks[place].end = event.record.upperBound
                }
            } catch {
                faults.append(error)
            }
        }
        return tracks.map(\.track)
    }

    /// Returns why a transition cannot begin as the event of no length before it says; nil if it can.
    ///
    /// Such an event names what the transition comes from: where the event before it has ended.
    private func beginning(_ event: EDLEvent, _ next: EDLEvent) -> BatchFault? {
        guard let place = events.firstIndex(where: { $0.line == event.line }) else { return nil }
        let before = events[..<place].last {
            !$0.record.isEmpty && $0.record.upperBound == event.record.lowerBound
                && !Set($0.channels).isDisjoint(with: next.channels)
        }
        guard let before, before.reel == event.reel,
            before.source.upperBound == event.source.lowerBound || before.speed != nil
        else {
            return next.fault(
                "its transition does not begin with what the event before it shows at its end",
                hint: "put a cut before it")
        }
        return nil
    }

    private static func track(_ channel: String) -> CutTrack {
        CutTrack(
            name: "track \(channel)", line: nil, media: channel.hasPrefix("V") ? .video : .audio,
            items: [])
    }
}
