import TakeupModel
import TakeupTimeline
import Testing

/// A track as a list of milliseconds: what is shown at the start of each, and how fast it plays.
private struct NaiveTrack {
    struct Moment: Equatable {
        var source: String?
        var position: MediaTime
        /// Milliseconds of the source in this millisecond.
        var speed: MediaTime
    }

    var moments: [Moment] = []

    static let tick = MediaTime(value: 1, timescale: 1000)

    static func time(_ milliseconds: Int) -> MediaTime {
        MediaTime(value: Int64(milliseconds), timescale: 1000)
    }

    static let nothing = Moment(source: nil, position: .zero, speed: .zero)

    static func part(_ source: String, from start: Int, count: Int) -> [Moment] {
        (0..<count).map {
            Moment(source: source, position: time(start + $0), speed: MediaTime(seconds: Int64(1)))
        }
    }

    mutating func insert(_ added: [Moment], at place: Int) {
        while moments.count < place { moments.append(Self.nothing) }
        moments.insert(contentsOf: added, at: place)
        trim()
    }

    mutating func insertEmpty(at place: Int, count: Int) {
        guard place < moments.count else { return }
        moments.insert(contentsOf: Array(repeating: Self.nothing, count: count), at: place)
        trim()
    }

    mutating func remove(at place: Int, count: Int) {
        guard place < moments.count else { return }
        moments.removeSubrange(place..<min(moments.count, place + count))
        trim()
    }

    /// Only for durations that keep every border at a whole millisecond.
    mutating func scale(at place: Int, count: Int, to duration: Int) {
        guard place < moments.count else { return }
        let last = min(moments.count, place + count)
        let old = Array(moments[place..<last])
        let length = old.count * duration / count
        let new = (0..<length).map { index in
            let place = index * count
            let (whole, rest) = (place / duration, place % duration)
            var moment = old[whole]
            let part = MediaTime(value: Int64(rest), timescale: Int64(duration))
            moment.position =
                moment.position
                + Self.tick.scaled(by: part, over: 1).scaled(by: moment.speed, over: 1)
            moment.speed = moment.speed.scaled(
                by: MediaTime(seconds: Int64(count)), over: MediaTime(seconds: Int64(duration)))
            return moment
        }
        moments.replaceSubrange(place..<last, with: new)
        trim()
    }

    private mutating func trim() {
        while moments.last == Self.nothing { moments.removeLast() }
    }

    /// What a track of segments shows, millisecond by millisecond.
    static func moments(of track: Composition.Track) -> [Moment] {
        var moments: [Moment] = []
        var start = MediaTime.zero
        for segment in track.segments {
            guard let length = segment.length else { return [] }
            var time = start
            while time < start + length {
                guard let source = segment.source, let range = segment.range,
                    let own = range.duration
                else {
                    moments.append(nothing)
                    time = time + tick
                    continue
                }
                moments.append(
                    Moment(
                        source: source,
                        position: range.start + (time - start).scaled(by: own, over: length),
                        speed: MediaTime(seconds: Int64(1)).scaled(by: own, over: length)))
                time = time + tick
            }
            start = start + length
        }
        return moments
    }
}

@Suite("Edits of a composition's track")
struct CompositionEditingTests {
    @Test("edits keep what becomes of the pitch, and join no two parts that differ in it")
    func pitch() throws {
        func part(_ start: Int, _ end: Int) -> Composition.Segment {
            Composition.Segment(
                source: "a",
                range: TimeRange(
                    start: MediaTime(seconds: Int64(start)), end: MediaTime(seconds: Int64(end))),
                speed: Ratio(2, 1))
        }
        var first = part(0, 4)
        first.pitch = .follow
        var track = Composition.Track(.audio)
        try track.insert([first, part(4, 8)])
        #expect(track.segments.map(\.pitch) == [.follow, nil])
        try track.remove(TimeRange(start: 0.5, duration: 0.5))
        #expect(track.segments.map(\.pitch) == [.follow, .follow, nil])
        try track.scale(TimeRange(start: 0, duration: 1), to: 3)
        #expect(track.segments.map(\.pitch) == [.follow, .follow, .follow, nil])
    }

    private func range(_ start: Int, _ count: Int) -> TimeRange {
        TimeRange(start: NaiveTrack.time(start), duration: NaiveTrack.time(count))
    }

    private func clip(_ source: String, _ start: Int, _ count: Int) -> Composition.Segment {
        Composition.Segment(source: source, range: range(start, count))
    }

    /// A sequence of random edits, done to both.
    private func sequence(_ random: inout Xorshift) throws -> Int {
        var (track, naive) = (Composition.Track(.all), NaiveTrack())
        var edits = 0
        var scales = 0
        for _ in 0..<8 {
            let total = naive.moments.count
            let place = Int.random(in: 0...(total + 5), using: &random)
            let count = Int.random(in: 1...24, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0, 1, 2:
                let source = "abc".randomElement(using: &random).map(String.init) ?? "a"
                let start = Int.random(in: 0..<40, using: &random)
                try track.insert([clip(source, start, count)], at: NaiveTrack.time(place))
                naive.insert(NaiveTrack.part(source, from: start, count: count), at: place)
            case 3:
                try track.insertEmpty(range(place, count))
                naive.insertEmpty(at: place, count: count)
            case 4:
                try track.remove(range(place, count))
                naive.remove(at: place, count: count)
            default:
                guard scales < 3, place < total else { continue }
                scales += 1
                // Within the track, so that its borders stay at whole milliseconds: by 2, 3, and back.
                let span = min(count, total - place)
                let duration =
                    span % 2 == 0 && random.next() % 2 == 0
                    ? span / 2 : span * Int.random(in: 2...3, using: &random)
                // Borders of segments inside a halved stretch may fall between: only whole ones are compared.
                guard duration > span || isEven(naive, place, span) else { continue }
                try track.scale(range(place, span), to: NaiveTrack.time(duration))
                naive.scale(at: place, count: span, to: duration)
            }
            edits += 1
        }
        #expect(NaiveTrack.moments(of: track) == naive.moments)
        #expect(isSettled(track))
        return edits
    }

    /// Whether all borders of a stretch are an even number of milliseconds from its start.
    private func isEven(_ naive: NaiveTrack, _ place: Int, _ span: Int) -> Bool {
        let moments = naive.moments[place..<(place + span)]
        return zip(moments.indices.dropFirst(), moments.dropFirst()).allSatisfy { index, moment in
            let before = moments[index - 1]
            let isBorder =
                before.source != moment.source || before.speed != moment.speed
                || (moment.source != nil
                    && before.position + NaiveTrack.tick.scaled(by: before.speed, over: 1)
                        != moment.position)
            return !isBorder || (index - place) % 2 == 0
        }
    }

    private func isSettled(_ track: Composition.Track) -> Bool {
        track.segments.last?.isEmpty != true
            && track.segments.allSatisfy { $0.length.map { $0 > .zero } ?? false }
    }

    @Test("random edits give what a list of milliseconds gives", arguments: 0..<8)
    func random(part: UInt64) throws {
        var random = Xorshift(seed: 0x51_7C_C1 &+ part)
        var edits = 0
        while edits < 12_800 { edits += try sequence(&random) }
        #expect(edits >= 12_800)
    }

    @Test("an insert in the middle of a segment divides it and pushes what follows")
    func insertDivides() throws {
        var track = Composition.Track(.all)
        try track.insert([clip("a", 0, 10)])
        try track.insert([clip("b", 5, 4)], at: NaiveTrack.time(3))
        #expect(track.segments == [clip("a", 0, 3), clip("b", 5, 4), clip("a", 3, 7)])
        #expect(track.duration == NaiveTrack.time(14))
    }

    @Test("no empty time is inserted at the end")
    func noEmptyEnd() throws {
        var track = Composition.Track(.all)
        try track.insertEmpty(range(0, 5))
        #expect(track.segments.isEmpty)
        try track.insert([clip("a", 0, 10)])
        try track.insertEmpty(range(10, 5))
        #expect(track.segments == [clip("a", 0, 10)])
        try track.insertEmpty(range(0, 5))
        #expect(track.segments == [.empty(NaiveTrack.time(5)), clip("a", 0, 10)])
    }

    @Test("a removal cuts the segments at its borders and pulls what follows")
    func removal() throws {
        var track = Composition.Track(.all)
        try track.insert([clip("a", 0, 10), clip("b", 0, 10)])
        try track.remove(range(5, 10))
        #expect(track.segments == [clip("a", 0, 5), clip("b", 5, 5)])
        // What was one stretch of a source is one segment again.
        var joined = Composition.Track(.all)
        try joined.insert([clip("a", 0, 10)])
        try joined.insert([clip("b", 0, 4)], at: NaiveTrack.time(6))
        try joined.remove(range(6, 4))
        #expect(joined.segments == [clip("a", 0, 10)])
    }

    @Test("a scaled stretch plays each of its segments at the ratio of the durations")
    func scaling() throws {
        var track = Composition.Track(.all)
        try track.insert([clip("a", 0, 10), clip("b", 0, 10)])
        try track.scale(range(5, 10), to: NaiveTrack.time(20))
        #expect(track.duration == NaiveTrack.time(30))
        #expect(track.segments.map(\.length) == [5, 10, 10, 5].map(NaiveTrack.time))
        #expect(track.segments.map(\.changesSpeed) == [false, true, true, false])
        try track.scale(range(5, 20), to: NaiveTrack.time(10))
        #expect(track.segments == [clip("a", 0, 10), clip("b", 0, 10)])
    }

    @Test("impossible ranges are refused and change nothing")
    func refusals() throws {
        var track = Composition.Track(.all)
        try track.insert([clip("a", 0, 10)])
        let before = track
        #expect(throws: CompositionError.self) { try track.remove(range(-1, 5)) }
        #expect(throws: CompositionError.self) { try track.remove(range(1, 0)) }
        #expect(throws: CompositionError.self) { try track.scale(range(0, 5), to: .zero) }
        #expect(throws: CompositionError.self) {
            try track.insert([clip("b", 0, 1)], at: NaiveTrack.time(-1))
        }
        #expect(throws: CompositionError.unknownLength(track: 0, segment: 0)) {
            try track.insert([Composition.Segment(source: "b")])
        }
        #expect(track == before)
    }
}

/// Random numbers that are the same on every run.
struct Xorshift: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed == 0 ? 1 : seed &* 0x9E37_79B9_7F4A_7C15 }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
