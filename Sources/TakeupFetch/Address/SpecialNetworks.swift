internal import TakeupCurl

/// Networks with a meaning of their own.
///
/// - Note: Source: IANA's registries of special-purpose addresses, for IPv4 and IPv6.
enum SpecialNetworks {
    /// Services that tell a machine's secrets to whoever asks from it.
    static let metadata = networks([
        "169.254.169.254", "169.254.170.2", "100.100.100.200", "168.63.129.16", "192.0.0.192",
        "fd00:ec2::254",
    ])

    /// Private, local, reserved, for documentation, for many at once.
    static let notPublic = networks([
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16",
        "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16",
        "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
        "::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "3fff::/20",
        "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8",
    ])

    /// The only networks of IPv6 that are handed out as public.
    static let public6 = networks(["2000::/3"])

    /// Networks of IPv6 that carry an IPv4 address, and the byte at which it begins: mapped,
    /// translated, 6to4.
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
