package import TakeupHTTP
package import TakeupModel

/// Who may reach a server, and under which names.
package struct AccessRules: Sendable, Equatable {
    /// Where the server listens.
    package var listeners: [HTTPServer.Address]
    /// The address that clients use, such as `https://media.example.com`; nil for none but the listeners' own.
    package var publicURL: String?
    /// Further host names that requests may carry.
    package var allowedHosts: [String]
    /// The file with the tokens; nil where everybody who reaches the server may do everything.
    package var tokenFile: String?

    package init(
        listeners: [HTTPServer.Address], publicURL: String? = nil, allowedHosts: [String] = [],
        tokenFile: String? = nil
    ) {
        (self.listeners, self.publicURL) = (listeners, publicURL)
        (self.allowedHosts, self.tokenFile) = (allowedHosts, tokenFile)
    }

    /// - Throws: `Failure` with `configuration` where other machines reach the server and no token is asked for.
    package func check() throws(Failure) {
        guard tokenFile == nil else { return }
        for listener in listeners where !Self.isLocal(listener) {
            throw Failure(
                exitCode: .configuration, code: "tokensMissing", stage: "request",
                message: "other machines can reach \(Self.text(listener)), and no tokens are given",
                hint: "listen on 127.0.0.1 or a Unix socket, or give a file of tokens")
        }
    }

    private static func isLocal(_ listener: HTTPServer.Address) -> Bool {
        switch listener.resolved {
        case .tcp(let host, _): HostName(host).isLoopback
        case .unix: true
        case .descriptor: false
        }
    }

    private static func text(_ listener: HTTPServer.Address) -> String {
        switch listener.resolved {
        case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .unix(let path, _): path
        case .descriptor(let number): "descriptor \(number)"
        }
    }

    /// Returns whether a request may carry a host; a browser that was led here by another name may not.
    func permits(_ host: HostName) -> Bool {
        if host.isLoopback { return true }
        let names =
            allowedHosts + [publicURL.flatMap { HostName.authority(of: $0) }].compactMap(\.self)
        if names.contains(where: { HostName($0).name == host.name }) { return true }
        return listeners.contains { listener in
            guard case .tcp(let own, _) = listener.resolved else { return false }
            let known = HostName(own)
            // An address in digits cannot be given to another machine; a name can.
            return known.name == host.name || known.isWildcard && host.isLiteral
        }
    }
}

/// A host as `Host` and `Origin` name it.
struct HostName: Equatable {
    /// In lower case, without the port, the brackets of IPv6 and a dot at the end.
    let name: String

    init(_ authority: String) {
        var text = Substring(authority.lowercased())
        if text.hasPrefix("["), let end = text.firstIndex(of: "]"),
            Self.isPort(text[text.index(after: end)...])
        {
            text = text[text.index(after: text.startIndex)..<end]
        } else if let colon = text.firstIndex(of: ":"), Self.isPort(text[colon...]) {
            text = text[..<colon]
        }
        if text.hasSuffix(".") { text = text.dropLast() }
        name = String(text)
    }

    /// Whether nothing or a port follows a host: with anything else it is no host that anybody knows.
    private static func isPort(_ rest: Substring) -> Bool {
        rest.isEmpty
            || rest.first == ":" && rest.dropFirst().utf8.allSatisfy { (48...57).contains($0) }
    }

    /// The part of an address between `//` and the path.
    static func authority(of url: String) -> String? {
        guard let start = url.firstRange(of: "://")?.upperBound else { return nil }
        // Scalars, not characters: in Swift, a slash and a following mark are one character.
        let authority = url[start...].unicodeScalars.prefix {
            $0 != "/" && $0 != "?" && $0 != "#"
        }
        return authority.isEmpty ? nil : String(authority)
    }

    var isLoopback: Bool {
        name == "localhost" || name == "::1" || name.hasPrefix("127.") && isLiteral
    }

    var isWildcard: Bool { name == "0.0.0.0" || name == "::" || name.isEmpty }

    /// Whether it is an IP address.
    var isLiteral: Bool {
        if name.contains(":") { return name.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." } }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil && $0.count <= 3 }
    }
}
