package import TakeupCurl

/// Which fields of a request may go to an address that another address has named.
package enum SecretFields {
    /// Request fields that hold no secrets.
    private static let harmless: Set<String> = ["accept", "accept-language", "user-agent"]

    /// Whether the field may go to every origin.
    package static func isHarmless(_ name: String) -> Bool { harmless.contains(name.lowercased()) }

    /// Whether what came from `home` may name `address` at all: never http in what came by https.
    package static func permits(_ address: WebAddress, from home: WebAddress) -> Bool {
        home.scheme != .https || address.scheme != .http
    }
}
