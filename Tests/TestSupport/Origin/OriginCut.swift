/// A place where the bodies of an object of a `TestOrigin` break off.
public struct OriginCut: Sendable, Equatable {
    /// What the place is counted from.
    public enum Place: Sendable, Equatable {
        /// After so many bytes of each body.
        case bodyBytes(Int64)
        /// Before this byte of the object, in bodies that began before it.
        case offset(Int64)
    }

    /// How the connection ends.
    public enum Ending: Sendable {
        /// In good order (FIN).
        case close
        /// With a reset (RST), after all bytes before it have arrived.
        case reset
    }

    /// Where.
    public var place: Place
    /// How.
    public var ending: Ending
    /// How often; nil is always.
    public var times: Int?

    /// Bodies break off at a place.
    public init(_ place: Place, by ending: Ending = .close, times: Int? = nil) {
        self.place = place
        self.ending = ending
        self.times = times
    }

    /// How many bytes a body may still get until here; 0 is now, nil is never.
    func bytesLeft(start: Int64, position: Int64, sent: Int64) -> Int64? {
        let left =
            switch place {
            case .bodyBytes(let count): count - sent
            case .offset(let offset): offset > start ? offset - position : -1
            }
        return left >= 0 ? left : nil
    }
}
