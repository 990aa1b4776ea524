internal import TakeupFFmpeg
internal import TakeupLanes
internal import TakeupModel
internal import TakeupTimeline

/// The pictures of layers that are never seen together, one layer after another.
///
/// A line has a lane that decodes and one that filters. It begins a layer shortly before its first picture is needed.
final class LayerLine {
    /// A layer, and which of the output's pictures it may be part of.
    struct Piece: Equatable {
        /// Index among the composition's layers.
        let layer: Int
        let pictures: Range<Int>
    }

    /// A decoded picture that several owners may hold.
    final class Held {
        let frame: Frame
        init(_ frame: consuming Frame) { self.frame = frame }
    }

    /// How long before its first picture a layer's source is opened.
    static let lead = MediaTime(seconds: Int64(1))

    let pieces: [Piece]
    private let pictures: ComposedPictures
    private let timeBase: TimeBase
    private let input: BoundedQueue<TimedFrame>
    /// Gets a token for each layer that may begin.
    private let admission: BoundedQueue<Int>
    private var admitted = 0
    private var place = 0
    private var next: Held?
    private var isOver = false
    /// The picture to be shown.
    private(set) var current: Held?

    init(
        _ pieces: [Piece], of pictures: ComposedPictures, timeBase: TimeBase,
        input: BoundedQueue<TimedFrame>, admission: BoundedQueue<Int>
    ) {
        (self.pieces, self.pictures, self.timeBase) = (pieces, pictures, timeBase)
        (self.input, self.admission) = (input, admission)
    }

    /// Divides layers among as few lines as never show two of theirs together.
    static func divided(_ pictures: ComposedPictures) -> [[Piece]] {
        var lines: [(end: MediaTime, pieces: [Piece])] = []
        let order = pictures.layers.indices.sorted {
            pictures.layers[$0].segment.targetStart < pictures.layers[$1].segment.targetStart
        }
        for layer in order {
            let segment = pictures.layers[layer].segment
            let end = segment.targetStart + segment.duration
            let first = pictures.index(of: segment.targetStart)
            let piece = Piece(
                layer: layer, pictures: first..<max(first, pictures.index(of: end)))
            if let line = lines.firstIndex(where: { $0.end <= segment.targetStart }) {
                lines[line].pieces.append(piece)
                lines[line].end = end
            } else {
                lines.append((end, [piece]))
            }
        }
        return lines.map(\.pieces)
    }

    /// Lets the layers begin that are needed soon; all of them without a time.
    func admit(until time: MediaTime?) {
        while admitted < pieces.count {
            if let time {
                let start = pictures.layers[pieces[admitted].layer].segment.targetStart
                guard start - Self.lead <= time else { return }
            }
            guard admission.push(admitted) else { return }
            admitted += 1
        }
    }

    /// Goes on to one of the output's pictures.
    ///
    /// - Returns: The layer that `current` belongs to; nil if none is shown.
    func advance(to index: Int) -> Int? {
        while place < pieces.count, pieces[place].pictures.upperBound <= index { endPiece() }
        guard place < pieces.count, pieces[place].pictures.contains(index) else { return nil }
        while true {
            if next == nil, !isOver { take() }
            // The first picture is seen from the layer's beginning, the last one to its end.
            guard let found = next, current == nil || number(of: found) <= index else { break }
            (current, next) = (found, nil)
        }
        return current == nil ? nil : pieces[place].layer
    }

    /// Takes what is left, so that the lanes end.
    func finish() {
        admit(until: nil)
        while let left = input.pop() { _ = consume left }
        (current, next) = (nil, nil)
    }

    private func number(of held: Held) -> Int {
        pictures.index(of: timeBase.time(held.frame.ptsTicks ?? 0))
    }

    private func endPiece() {
        while !isOver { take() }
        (current, next, isOver) = (nil, nil, false)
        place += 1
    }

    private func take() {
        guard let timed = input.pop(), !timed.endsSegment else {
            isOver = true
            return
        }
        next = Held(timed.frame)
    }
}
