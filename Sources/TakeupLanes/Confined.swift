/// Transfers an object that only one lane at a time may use to that lane.
///
/// The creator fills the object and one lane uses it. The creator may read it again only after
/// `LaneGroup.wait`.
public struct Confined<Value> {
    public let value: Value

    public init(_ value: Value) {
        self.value = value
    }
}

// Safe: starting a lane and waiting for its group order all use; between them only the lane touches it.
extension Confined: @unchecked Sendable {}
