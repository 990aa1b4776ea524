/// Where a page is from: scheme, host and port, as browsers compare them.
///
/// - Note: Source: RFC 6454, 4 and 5.
struct WebOrigin: Equatable {
    /// `http` or `https`.
    let scheme: String
    /// As in `HostName`.
    let name: String
    let port: Int

    /// Reads an address of HTTP, or what `Origin` says; nil for another address.
    init?(_ url: String) {
        guard let colon = url.utf8.firstIndex(of: UInt8(ascii: ":")),
            let authority = HostName.authority(of: url)
        else { return nil }
        self.init(scheme: url[..<colon].lowercased(), authority: authority)
    }

    /// Reads a host, with or without a port, as `Host` says it; nil where the port is no number.
    init?(scheme: String, authority: String) {
        guard let known = Self.defaultPorts[scheme] else { return nil }
        (self.scheme, name) = (scheme, HostName(authority).name)
        let text = Self.port(of: authority)
        guard let port = text.isEmpty ? known : Int(text) else { return nil }
        self.port = port
    }

    private static let defaultPorts = ["http": 80, "https": 443]

    /// The digits behind the host; empty where there are none.
    private static func port(of authority: String) -> Substring {
        let end = authority.utf8.lastIndex(of: UInt8(ascii: "]")) ?? authority.startIndex
        let rest = authority[end...]
        guard rest.utf8.count(where: { $0 == UInt8(ascii: ":") }) == 1,
            let colon = rest.utf8.firstIndex(of: UInt8(ascii: ":"))
        else { return "" }
        return rest[rest.utf8.index(after: colon)...]
    }

    /// Whether a page of this origin belongs to the server that `host` (of the request) and `publicURL` name; nil for neither.
    func isOwn(host: String?, publicURL: String?) -> Bool {
        let own = publicURL.flatMap { WebOrigin($0) }
        if self == own { return true }
        guard let host else { return false }
        // Under the public name the public scheme counts: a page without TLS may be anybody's.
        if let own, HostName(host).name == own.name,
            ["", "80", "443", "\(own.port)"].contains(Self.port(of: host))
        {
            return false
        }
        return self == WebOrigin(scheme: scheme, authority: host)
    }
}
