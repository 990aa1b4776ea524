/// Addresses as origins and attackers spell them.
public enum HostileAddresses {
    /// What origins put into paths, queries and fragments, and what attackers do.
    private static let pieces = [
        "直播10.mp4", "%2F", "%2f..%2F", "+", " ", "%20", "a b+c", "#", "#?#", "?", "??", "&&=",
        "%", "%zz", "%E7%9B", "%00", "%0d%0a", "%25", "%252F", "..", "../..", "./", "//", "\\",
        ";v=1", ":80", "@", "user@", "é", "e\u{301}", "ß", "\u{202E}gpj", "\u{FEFF}", "😀", "~",
        "'\"<>", "[1]", "{a}", "|", "^", "`", "*", "!$&'()", ",", "=", "http://b/", "\u{0}", "\n",
        "\t", "\r\nHost: b",
    ]

    /// So many that differ, the same ones in every run; some are no addresses at all.
    ///
    /// - Parameters:
    ///   - count: How many.
    ///   - hosts: Each with its scheme.
    /// - Returns: In the order of their numbers, with which their paths begin.
    public static func texts(_ count: Int, at hosts: [String]) -> [String] {
        var seed: UInt64 = 11
        func below(_ bound: Int) -> Int {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(seed >> 33) % bound
        }
        return (0..<count).map { number in
            var text = "\(hosts[below(hosts.count)])/\(number)"
            for _ in 0..<below(6) { text += pieces[below(pieces.count)] }
            if number % 3 == 0 { text += "?q=" }
            for _ in 0..<below(4) { text += pieces[below(pieces.count)] }
            // As signatures are.
            if number % 25 == 0 { text += String(repeating: "k%2F+ é", count: 8192 / 8) }
            return text
        }
    }
}
