public import TakeupCurl

/// A network: all addresses that begin with the same bits.
public struct NetworkPrefix: Hashable, Sendable {
    public let address: IPAddress
    /// Length of the prefix in bits: 0 to 32 for IPv4, 0 to 128 for IPv6.
    public let bits: Int

    /// Parses `10.0.0.0/8`, or a single address as a network that holds only this address.
    ///
    /// - Returns: Nil for any other text. Also nil if a bit after the prefix is 1: the text does not say which
    ///   network it means.
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

    /// Returns whether an address of the same IP version lies in this network.
    public func contains(_ other: IPAddress) -> Bool {
        other.bytes.count == address.bytes.count
            && Self.first(bits, of: other.bytes) == address.bytes
    }

    /// Whether the network holds exactly one address.
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
