public import TakeupCurl

/// Decides which addresses may be connected to: public Internet addresses and explicitly permitted
/// networks.
///
/// The policy decides on the address of a connection, never on a host name. A name may resolve to
/// another address a moment later.
public struct AddressPolicy: Equatable, Sendable {
    /// Networks that are permitted although they are not public.
    ///
    /// A metadata service, which gives out secrets of the machine, is permitted only by its single
    /// address.
    public var permitted: [NetworkPrefix]
    /// Ports that may be connected to; nil permits every port.
    public var ports: Set<UInt16>?
    /// Whether http is permitted as well as https.
    public var permitsPlainHTTP: Bool

    public init(
        permitted: [NetworkPrefix] = [], ports: Set<UInt16>? = [80, 443],
        permitsPlainHTTP: Bool = false
    ) {
        (self.permitted, self.ports) = (permitted, ports)
        self.permitsPlainHTTP = permitsPlainHTTP
    }

    /// The reason why a connection is not permitted.
    public enum Denial: Equatable, Sendable {
        case scheme(WebAddress.Scheme)
        case port(UInt16)
        /// The address lies in this special-purpose network.
        case network(IPAddress, NetworkPrefix)
        /// The address lies outside the networks that are assigned as public.
        case notPublic(IPAddress)
    }

    /// Returns why a connection to an address and port is not permitted; nil if it is permitted.
    public func denial(of address: IPAddress, port: UInt16) -> Denial? {
        if let ports, !ports.contains(port) { return .port(port) }
        return denial(of: address)
    }

    /// Returns why a web address is refused before its name is resolved; nil if only the connection
    /// can tell.
    public func denial(of address: WebAddress) -> Denial? {
        if address.scheme == .http, !permitsPlainHTTP { return .scheme(.http) }
        if let literal = address.literal { return denial(of: literal, port: address.port) }
        guard let ports, !ports.contains(address.port) else { return nil }
        return .port(address.port)
    }
}

extension AddressPolicy {
    private func denial(of address: IPAddress) -> Denial? {
        let isNamed = permitted.contains { $0.isSingle && $0.address == address }
        if isNamed { return nil }
        // The embedded address is the real target. The embedded address decides even if the outer
        // network is permitted.
        if let embedded = address.embedded { return denial(of: embedded) }
        if let network = SpecialNetworks.metadata.first(where: { $0.contains(address) }) {
            return .network(address, network)
        }
        if permitted.contains(where: { $0.contains(address) }) { return nil }
        if let network = SpecialNetworks.notPublic.first(where: { $0.contains(address) }) {
            return .network(address, network)
        }
        guard address.isVersion6 else { return nil }
        let isPublic = SpecialNetworks.public6.contains { $0.contains(address) }
        return isPublic ? nil : .notPublic(address)
    }
}

extension IPAddress {
    /// The IPv4 address that this IPv6 address leads to; nil for all other addresses.
    fileprivate var embedded: IPAddress? {
        for (network, offset) in SpecialNetworks.carriers where network.contains(self) {
            return IPAddress(bytes: Array(bytes[offset..<offset + 4]))
        }
        // ISATAP: an interface identifier after any prefix, with or without the universal bit.
        guard isVersion6, bytes[8] & 0xFD == 0, Array(bytes[9..<12]) == [0x00, 0x5E, 0xFE] else {
            return nil
        }
        return IPAddress(bytes: Array(bytes[12...]))
    }
}
