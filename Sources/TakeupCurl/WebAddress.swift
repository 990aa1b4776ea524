internal import CTakeupCurl
internal import Foundation

/// An http or https address, parsed by the same parser that connects to it.
///
/// The text is normalised: scheme and host in lower case, the host in ASCII, no default port, no
/// dot segments, no fragment. The text never contains a user or a password.
public struct WebAddress: Hashable, Sendable {
    public enum Scheme: String, Sendable {
        case http, https
    }

    /// Size limit of the text, in bytes, after percent-encoding.
    public static let longestBytes = 32 << 10

    public let text: String
    public let scheme: Scheme
    /// A host name, four decimal numbers, or an IPv6 address in brackets.
    public let host: String
    public let port: UInt16
    /// The path, which begins with a slash.
    public let path: String
    /// The query without its question mark; nil if there is none.
    public let query: String?

    /// Parses an absolute address.
    ///
    /// - Throws: `CurlError` with `.parse` and `.refused`; the error's subject contains no part of `text`.
    ///   With `.start` if libcurl cannot be loaded.
    public init(_ text: String) throws(CurlError) {
        try self.init(text, base: nil)
    }

    /// Resolves a reference from a `Location` field or a playlist line against this address.
    ///
    /// - Throws: `CurlError` with `.resolve` and `.refused`; its subject is this address.
    public func resolving(_ reference: String) throws(CurlError) -> WebAddress {
        try WebAddress(reference, base: self)
    }

    /// The address for logs, without the query.
    public var redacted: String {
        guard query != nil, let mark = text.firstIndex(of: "?") else { return text }
        return "\(text[..<mark])?…"
    }

    /// The host as an IP address; nil for a name.
    public var literal: IPAddress? {
        IPAddress(host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host)
    }

    /// Returns whether two addresses have the same origin, so that secrets for one may be sent to
    /// the other.
    public func hasSameOrigin(as other: WebAddress) -> Bool {
        scheme == other.scheme && host == other.host && port == other.port
    }
}

extension WebAddress: CustomStringConvertible {
    /// The redacted text.
    public var description: String { redacted }
}

extension WebAddress {
    private struct Refused: Error {
        let refusal: CurlError.Refusal
        var code = CURLUE_OK
    }

    private init(_ text: String, base: WebAddress?) throws(CurlError) {
        // Without libcurl nothing is known of the address.
        guard CurlLibrary.isLoaded else {
            throw CurlError(
                .start, .other, code: Int32(CURLE_FAILED_INIT.rawValue), subject: "libcurl")
        }
        do throws(Refused) {
            let handle = try Self.parse(Self.encoded(text), base: base?.text)
            let normal = try Self.normalised(handle)
            // Parse a second time, because a host may be decoded once more: the checked text must
            // be the used text.
            guard try Self.normalised(Self.parse(normal, base: nil)) == normal else {
                throw Refused(refusal: .malformed)
            }
            try self.init(normal: normal, Self.parse(normal, base: nil))
        } catch {
            throw CurlError(
                base == nil ? .parse : .resolve, .refused(error.refusal),
                code: Int32(error.code.rawValue),
                subject: base?.redacted ?? "an address of \(text.utf8.count) bytes")
        }
    }

    private init(normal: String, _ handle: borrowing URLHandle) throws(Refused) {
        guard let scheme = handle.get(CURLUPART_SCHEME).flatMap(Scheme.init(rawValue:)),
            let host = handle.get(CURLUPART_HOST), !host.isEmpty,
            let port = handle.get(CURLUPART_PORT, flags: takeup_url_default_port),
            let port = UInt16(port),
            port > 0, let path = handle.get(CURLUPART_PATH)
        else { throw Refused(refusal: .malformed) }
        (self.text, self.scheme, self.host) = (normal, scheme, host)
        (self.port, self.path, query) = (port, path, handle.get(CURLUPART_QUERY))
    }

    private static func parse(_ text: String, base: String?) throws(Refused) -> URLHandle {
        guard let handle = try? URLHandle() else { throw Refused(refusal: .malformed) }
        // libcurl's versions interpret a space before the scheme differently.
        if base == nil, text.hasPrefix(" ") { throw Refused(refusal: .scheme) }
        if let base { _ = handle.set(CURLUPART_URL, base) }
        let code = handle.set(CURLUPART_URL, text, flags: takeup_url_disallow_user)
        guard code == CURLUE_OK else { throw Refused(refusal: refusal(code), code: code) }
        guard handle.get(CURLUPART_SCHEME).flatMap(Scheme.init(rawValue:)) != nil else {
            throw Refused(refusal: .scheme)
        }
        guard handle.get(CURLUPART_ZONEID) == nil else { throw Refused(refusal: .zone) }
        return handle
    }

    private static func normalised(_ handle: borrowing URLHandle) throws(Refused) -> String {
        guard let host = handle.get(CURLUPART_HOST).flatMap(inASCII), isClear(host),
            handle.set(CURLUPART_HOST, host) == CURLUE_OK,
            handle.set(CURLUPART_FRAGMENT, nil) == CURLUE_OK,
            let text = handle.get(CURLUPART_URL, flags: takeup_url_no_default_port)
        else { throw Refused(refusal: .malformed) }
        guard text.utf8.count <= longestBytes else { throw Refused(refusal: .length) }
        return text
    }

    /// Converts a host to lower case and to ASCII (IDNA).
    ///
    /// - Returns: Nil if the host has no such form.
    private static func inASCII(_ host: String) -> String? {
        if host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) { return host.lowercased() }
        // libcurl's own conversion depends on the locale of the process.
        var components = URLComponents()
        components.host = host
        guard let name = components.encodedHost?.lowercased(), !name.isEmpty,
            name.utf8.allSatisfy(Set("abcdefghijklmnopqrstuvwxyz0123456789-._".utf8).contains)
        else { return nil }
        return name
    }

    /// Returns whether a host that ends in a number is a plain address, not a name that looks like
    /// one.
    private static func isClear(_ host: String) -> Bool {
        let label = host.split(separator: ".").last ?? ""
        let isNumber =
            label.allSatisfy(\.isWholeNumber)
            || label.hasPrefix("0x") && Int(label.dropFirst(2), radix: 16) != nil
        return !isNumber || IPAddress(host) != nil
    }

    private static func refusal(_ code: CURLUcode) -> CurlError.Refusal {
        switch code {
        case CURLUE_USER_NOT_ALLOWED: .credentials
        case CURLUE_UNSUPPORTED_SCHEME, CURLUE_BAD_SCHEME: .scheme
        default: .malformed
        }
    }

    /// Percent-encodes spaces and non-ASCII characters after the host, which has its own encoding.
    private static func encoded(_ text: String) throws(Refused) -> String {
        guard text.utf8.count <= longestBytes else { throw Refused(refusal: .length) }
        guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw Refused(refusal: .characters)
        }
        guard !text.isEmpty else { throw Refused(refusal: .malformed) }
        let bytes = Array(text.utf8)
        let start = hostEnd(bytes)
        var result = Array(bytes[..<start])
        for byte in bytes[start...] {
            if byte == 0x20 || byte >= 0x80 {
                result += Array("%\(String(byte, radix: 16, uppercase: true))".utf8)
            } else {
                result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Returns where the path, query or fragment begins; 0 in a relative reference.
    private static func hostEnd(_ bytes: [UInt8]) -> Int {
        let marks = Set("/?#".utf8)
        let first = bytes.firstIndex(where: marks.contains) ?? bytes.endIndex
        let isAbsolute = first > 0 && bytes[first - 1] == UInt8(ascii: ":")
        guard bytes[first...].starts(with: "//".utf8), first == 0 || isAbsolute else { return 0 }
        return bytes[(first + 2)...].firstIndex(where: marks.contains) ?? bytes.endIndex
    }
}
