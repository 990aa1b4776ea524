/// That an object of a `TestOrigin` turns into another one after some use.
public struct OriginSuccession: Sendable {
    /// What happens to answers that are under way when an object is replaced.
    public enum InFlight: Sendable {
        /// They end with the old bytes, as with a file that was renamed over.
        case finishesOld
        /// They go on at the same place in the new bytes, as with a file that was written over.
        ///
        /// Where the new bytes end too early, the body is cut; where they are more, a body without
        /// a length grows.
        case takesNew
    }

    /// After how much use of the object, counted since it was put in place.
    public var after: OriginUse
    /// What it turns into.
    public var object: OriginObject
    /// What becomes of answers under way.
    public var inFlight: InFlight

    /// A change to another object.
    public init(
        after: OriginUse, to object: OriginObject, inFlight: InFlight = .finishesOld
    ) {
        self.after = after
        self.object = object
        self.inFlight = inFlight
    }
}
