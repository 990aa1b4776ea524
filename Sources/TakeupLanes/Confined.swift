/// Hands an object that is tied to one lane at a time to that lane.
///
/// The maker fills it, one lane uses it, and the maker looks at it again only after `LaneGroup.wait`.
public struct Confined<Value> {
    public let value: Value

    public init(_ value: Value) {
        self.value = value
    }
}

// Safe: starting a lane and waiting for its group order all use; between them only the lane touches it.
extension Confined: @unchecked Sendable {}
