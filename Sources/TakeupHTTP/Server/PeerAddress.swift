internal import Foundation

/// The text of a client's address.
enum PeerAddress {
    /// - Returns: Without a port, IPv4 as such also where it came over IPv6; empty for a Unix socket.
    static func text(_ address: UnsafePointer<sockaddr>?) -> String {
        guard let address else { return "" }
        let family = Int32(address.pointee.sa_family)
        var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let size =
            family == AF_INET ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
        guard family == AF_INET || family == AF_INET6,
            getnameinfo(
                address, socklen_t(size), &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST)
                == 0
        else { return "" }
        let text = String(
            decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return text.hasPrefix("::ffff:") && text.contains(".") ? String(text.dropFirst(7)) : text
    }

    /// Programs of this machine, a proxy in front among them, are not counted by address.
    static func isLocal(_ text: String) -> Bool {
        text.isEmpty || text == "::1" || text.hasPrefix("127.")
    }
}
