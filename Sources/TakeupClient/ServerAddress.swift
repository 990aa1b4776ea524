package import TakeupCurl

/// Where a server is: an address, or the Unix socket of this machine.
package struct ServerAddress: Sendable, Equatable {
    /// What requests are made from: scheme, host and port.
    package let base: WebAddress
    /// The socket to connect to; nil for the network.
    package let socket: String?

    /// Reads `http://HOST:PORT`, `https://HOST` or `unix:PATH`.
    package init?(_ text: String, absolute: (String) -> String) {
        let prefix = "unix:"
        let isSocket = text.hasPrefix(prefix)
        let path = isSocket ? absolute(String(text.dropFirst(prefix.count))) : nil
        guard let base = try? WebAddress(isSocket ? "http://localhost/" : text), base.path == "/",
            base.query == nil, path != ""
        else { return nil }
        (self.base, socket) = (base, path)
    }

    /// As users know it, without a slash at its end.
    package var text: String { socket.map { "unix:\($0)" } ?? String(base.text.dropLast()) }

    /// Whether anybody between here and there can read what is sent.
    package var isOpen: Bool {
        guard socket == nil, base.scheme == .http, base.host != "localhost" else { return false }
        guard let address = base.literal else { return true }
        return !address.isLoopback
    }
}

extension IPAddress {
    fileprivate var isLoopback: Bool {
        isVersion6 ? bytes == [UInt8](repeating: 0, count: 15) + [1] : bytes[0] == 127
    }
}
