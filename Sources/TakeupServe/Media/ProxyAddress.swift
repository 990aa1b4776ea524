internal import Foundation
internal import TakeupHTTP
package import TakeupModel

/// An address that the server fetches for its callers, as a signed path: whoever has the path may read through it.
package struct ProxyAddress: Sendable, Hashable {
    /// http or https, as it is fetched.
    package var url: String
    /// Names of the request's fields that go on to the origin, lower case.
    package var headers: [String]
    /// Seconds since 1970 at which the path ends; nil for as long as the key is.
    package var expiresAt: Int64?

    package init(url: String, headers: [String] = [], expiresAt: Int64? = nil) {
        (self.url, self.expiresAt) = (url, expiresAt)
        self.headers = headers.map { $0.lowercased() }
    }

    private static let mostNameBytes = 64
    /// The longest path, in bytes: a request's target, without room for the query that a player adds.
    static let mostPathBytes = HTTPServer.Limits().targetBytes - 256

    /// The path, such as `/p/…/clip.mp4`; the last part is for players that go by names, and is not signed.
    ///
    /// - Parameter key: Signs it.
    /// - Returns: Only characters that every program takes in a path.
    package func path(_ key: ProxyKey) -> String {
        let payload = Array("\(expiresAt ?? 0)\n\(headers.joined(separator: ","))\n\(url)".utf8)
        let signature = Base64URL.text(key.signature(of: payload))
        return "/p/\(Base64URL.text(payload)).\(signature)/\(name)"
    }

    /// The path, if a request can name it.
    ///
    /// - Throws: `Failure` with 64: `addressTooLong`.
    package func checkedPath(_ key: ProxyKey) throws(Failure) -> String {
        let path = path(key)
        guard path.utf8.count <= Self.mostPathBytes else {
            throw Failure(
                exitCode: .usage, code: "addressTooLong", stage: "request",
                message: "the address of \(url.utf8.count) bytes is too long: its path on the"
                    + " server has \(path.utf8.count) bytes, and the limit is"
                    + " \(Self.mostPathBytes)",
                hint: "an address may have about \(Self.mostPathBytes * 3 / 4 - 100) bytes")
        }
        return path
    }

    /// Reads the signed part of a path.
    ///
    /// - Parameters:
    ///   - token: What stands between `/p/` and the name.
    ///   - key: Has to have signed it.
    ///   - now: Seconds since 1970.
    /// - Throws: `Failure` with 77: `signatureInvalid`, `addressExpired`.
    package init(token: String, _ key: ProxyKey, now: Double) throws(Failure) {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let payload = Base64URL.bytes(parts[0]),
            let signature = Base64URL.bytes(parts[1]), key.verifies(signature, of: payload)
        else { throw Self.invalid }
        let fields = payload.split(
            separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: false
        ).map { String(decoding: $0, as: UTF8.self) }
        guard fields.count == 3, let expiry = Int64(fields[0]) else { throw Self.invalid }
        self.init(
            url: fields[2], headers: fields[1].split(separator: ",").map(String.init),
            expiresAt: expiry == 0 ? nil : expiry)
        guard expiresAt.map({ now < Double($0) }) ?? true else {
            throw Failure(
                exitCode: .notPermitted, code: "addressExpired", stage: "request",
                message: "this proxy address has expired", hint: "ask for another one")
        }
    }

    private static var invalid: Failure {
        Failure(
            exitCode: .notPermitted, code: "signatureInvalid", stage: "request",
            message: "this server has not signed this proxy address",
            hint: "ask this server for the address, and use it unchanged")
    }

    /// The last part of the address's path, as far as it is plain.
    var name: String {
        let bytes = Array(url.utf8)
        let end = bytes.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
        let path = bytes[..<(end ?? bytes.endIndex)]
        // Behind the scheme and the authority.
        let last = path.split(separator: UInt8(ascii: "/")).dropFirst(2).last ?? []
        var name: [UInt8] = []
        var rest = last
        while var byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let decoded = Self.byte(rest.prefix(2)) {
                byte = decoded
                rest = rest.dropFirst(2)
            }
            // One mark for a whole scalar.
            guard byte & 0xC0 != 0x80 else { continue }
            name.append(Self.isPlain(byte) ? byte : UInt8(ascii: "_"))
        }
        let plain = name.suffix(Self.mostNameBytes).drop { $0 == UInt8(ascii: ".") }
        return plain.isEmpty ? "media" : String(decoding: plain, as: UTF8.self)
    }

    private static func byte(_ digits: ArraySlice<UInt8>) -> UInt8? {
        guard digits.count == 2 else { return nil }
        return UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
            UInt8(ascii: "."):
            true
        default: false
        }
    }
}

extension ProxyAddress {
    /// Fields that no caller may pass on: they belong to one connection, to this server, or to the range cache.
    private static let kept: Set<String> = [
        "connection", "content-length", "content-type", "cookie", "expect", "forwarded", "host",
        "keep-alive", "origin", "proxy-authenticate", "proxy-authorization", "proxy-connection",
        "range", "te",
        "trailer", "transfer-encoding", "upgrade", "via", "accept-encoding",
    ]
    static let mostHeaders = 16

    /// Whether a field of this name may go on to the origin.
    package static func permits(header name: String) -> Bool {
        let lower = name.lowercased()
        let isToken =
            !lower.isEmpty && lower.utf8.count <= 64
            && lower.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
        return isToken && !kept.contains(lower) && !lower.hasPrefix("if-")
            && !lower.hasPrefix("sec-") && !lower.hasPrefix("x-forwarded-")
    }
}
