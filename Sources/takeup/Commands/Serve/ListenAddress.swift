import TakeupCurl

/// Where a server listens, as the command line says it.
enum ListenAddress: Equatable, Sendable {
    /// An IP address without brackets; port 0 takes a free one.
    case tcp(host: String, port: UInt16)
    /// A path, as it was given.
    case unix(path: String)

    static let form = "such as 127.0.0.1:8080, [::1]:8080 or unix:/run/takeup.sock"
    /// The most bytes of a Unix socket's path.
    ///
    /// - Note: Source: `unix(7)`, `sun_path` with its zero.
    private static let longestPath = 107

    /// - Returns: nil for anything but an IP address (or `localhost`) with a port, or `unix:` with a path.
    init?(parsing text: String) {
        if text.hasPrefix("unix:") {
            let path = String(text.dropFirst("unix:".count))
            guard !path.isEmpty, path.utf8.count <= Self.longestPath, !path.utf8.contains(0) else {
                return nil
            }
            self = .unix(path: path)
            return
        }
        guard let colon = text.lastIndex(of: ":"),
            let port = UInt16(text[text.index(after: colon)...])
        else { return nil }
        var host = String(text[..<colon])
        if host == "localhost" { host = "127.0.0.1" }
        let hasBrackets = host.hasPrefix("[") && host.hasSuffix("]")
        if hasBrackets { host = String(host.dropFirst().dropLast()) }
        guard let address = IPAddress(host), address.isVersion6 == hasBrackets else { return nil }
        self = .tcp(host: address.description, port: port)
    }

    /// Whether only this machine reaches it.
    var isLocal: Bool {
        switch self {
        case .unix: true
        case .tcp(let host, _): Self.isLoopback(host)
        }
    }

    static func isLoopback(_ host: String) -> Bool {
        guard let address = IPAddress(host) else { return false }
        return address.isVersion6
            ? address.bytes == [UInt8](repeating: 0, count: 15) + [1] : address.bytes[0] == 127
    }

    /// What a client is told; for a Unix socket what `--server` takes.
    var url: String {
        switch self {
        case .unix(let path): "unix:\(path)"
        case .tcp(let host, let port):
            "http://\(host.contains(":") ? "[\(host)]" : host):\(port)"
        }
    }
}
