public import TakeupCurl

/// Which addresses may be connected to: those of the public Internet, and what is permitted
/// besides.
///
/// It decides on the address of a connection, never on a name, which may mean another address a
/// moment later.
public struct AddressPolicy: Equatable, Sendable {
    /// Networks that are permitted although they are not public.
    ///
    /// A service that gives secrets about the machine is permitted by its single address only.
    public var permitted: [NetworkPrefix]
    /// Ports that may be connected to; nil for every port.
    public var ports: Set<UInt16>?
    /// Whether http is permitted beside https.
    public var permitsPlainHTTP: Bool

    public init(
        permitted: [NetworkPrefix] = [], ports: Set<UInt16>? = [80, 443],
        permitsPlainHTTP: Bool = false
    ) {
        (self.permitted, self.ports) = (permitted, ports)
        self.permitsPlainHTTP = permitsPlainHTTP
    }

    /// Why something may not be connected to.
    public enum Denial: Equatable, Sendable {
        case scheme(WebAddress.Scheme)
        case port(UInt16)
        /// It lies in this network.
        case network(IPAddress, NetworkPrefix)
        /// It lies outside of what is handed out as public.
        case notPublic(IPAddress)
    }

    /// Why a connection is not permitted; nil when it is.
    public func denial(of address: IPAddress, port: UInt16) -> Denial? {
        if let ports, !ports.contains(port) { return .port(port) }
        return denial(of: address)
    }

    /// Why an address is refused before any name is looked up; nil when only the connection can
    /// tell.
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
        // What is really reached decides, also where a network of the outer address is permitted.
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
    /// The IPv4 address that an IPv6 address leads to; nil for all others.
    fileprivate var embedded: IPAddress? {
        for (network, offset) in SpecialNetworks.carriers where network.contains(self) {
            return IPAddress(bytes: Array(bytes[offset..<offset + 4]))
        }
        // ISATAP: the second half of any prefix, with the universal bit or without.
        guard isVersion6, bytes[8] & 0xFD == 0, Array(bytes[9..<12]) == [0x00, 0x5E, 0xFE] else {
            return nil
        }
        return IPAddress(bytes: Array(bytes[12...]))
    }
}
