internal import TakeupCurl

/// Networks with a special purpose.
///
/// - Note: Source: IANA's registries of special-purpose addresses, for IPv4 and IPv6.
enum SpecialNetworks {
    /// Metadata services, which tell a machine's secrets to anyone who asks from that machine.
    static let metadata = networks([
        "169.254.169.254", "169.254.170.2", "100.100.100.200", "168.63.129.16", "192.0.0.192",
        "fd00:ec2::254",
    ])

    /// IPv4 and IPv6 networks that are not public: private, local, reserved, documentation,
    /// multicast.
    static let notPublic = networks([
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16",
        "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16",
        "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
        "::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "3fff::/20",
        "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8",
    ])

    /// The only IPv6 networks that are assigned as public.
    static let public6 = networks(["2000::/3"])

    /// IPv6 networks that carry an IPv4 address (mapped, translated, 6to4), each with the byte
    /// offset of the IPv4 address.
    static let carriers: [(network: NetworkPrefix, offset: Int)] = zip(
        networks(["::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96", "2002::/16"]),
        [12, 12, 12, 2]
    ).map { ($0, $1) }

    private static func networks(_ texts: [String]) -> [NetworkPrefix] {
        texts.map { text in
            guard let network = NetworkPrefix(text) else {
                preconditionFailure("\(text) is no network")
            }
            return network
        }
    }
}
