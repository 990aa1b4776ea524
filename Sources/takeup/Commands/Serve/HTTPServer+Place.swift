import TakeupCurl
import TakeupHTTP

/// Where a server listens, as the command line says it.
extension HTTPServer.Address {
    static let form = "such as 127.0.0.1:8080, [::1]:8080 or unix:/run/takeup.sock"

    /// - Returns: nil for anything but an IP address (or `localhost`) with a port, or `unix:` with a path.
    init?(parsing text: String) {
        if text.hasPrefix("unix:") {
            let path = String(text.dropFirst("unix:".count))
            guard !path.isEmpty, !path.utf8.contains(0) else { return nil }
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

    /// What a client is told; for a Unix socket what `--server` takes.
    var url: String {
        switch self {
        case .unix(let path, _): "unix:\(path)"
        case .tcp(let host, let port):
            "http://\(host.contains(":") ? "[\(host)]" : host):\(port)"
        case .descriptor(let number): "descriptor \(number)"
        }
    }
}
