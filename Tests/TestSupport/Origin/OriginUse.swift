/// An amount of use of an object of a `TestOrigin`.
public enum OriginUse: Sendable, Equatable {
    /// So many bytes of bodies, exactly when one connection reads.
    case bytes(Int64)
    /// So many answered requests.
    case requests(Int)

    /// How many bytes may still be sent until it is reached; 0 when it is, nil when bytes do not
    /// count.
    func bytesLeft(after bytes: Int64) -> Int64? {
        switch self {
        case .bytes(let limit): max(0, limit - bytes)
        case .requests: nil
        }
    }

    func isReached(bytes: Int64, requests: Int) -> Bool {
        switch self {
        case .bytes(let limit): bytes >= limit
        case .requests(let limit): requests >= limit
        }
    }
}
