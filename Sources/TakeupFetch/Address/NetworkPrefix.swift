public import TakeupCurl

/// A network: all addresses that begin with the same bits.
public struct NetworkPrefix: Hashable, Sendable {
    public let address: IPAddress
    /// 0 to 32, or to 128.
    public let bits: Int

    /// Reads `10.0.0.0/8`, or one address as the network of itself alone.
    ///
    /// - Returns: Nil for anything else, and when bits are set behind the prefix: it is then not
    ///   clear what was meant.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let address = IPAddress(String(parts[0])) else { return nil }
        let most = address.bytes.count * 8
        guard parts.count == 2 else {
            (self.address, bits) = (address, most)
            return
        }
        guard parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let bits = Int(parts[1]),
            bits <= most, address.bytes == Self.first(bits, of: address.bytes)
        else { return nil }
        (self.address, self.bits) = (address, bits)
    }

    /// Whether an address of the same version lies in it.
    public func contains(_ other: IPAddress) -> Bool {
        other.bytes.count == address.bytes.count
            && Self.first(bits, of: other.bytes) == address.bytes
    }

    /// Whether it is one address alone.
    var isSingle: Bool { bits == address.bytes.count * 8 }

    private static func first(_ bits: Int, of bytes: [UInt8]) -> [UInt8] {
        bytes.enumerated().map { index, byte in
            let kept = min(max(bits - index * 8, 0), 8)
            return byte & UInt8(truncatingIfNeeded: 0xFF00 >> kept)
        }
    }
}

extension NetworkPrefix: CustomStringConvertible {
    public var description: String { "\(address)/\(bits)" }
}
