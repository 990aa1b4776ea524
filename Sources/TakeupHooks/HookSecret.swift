internal import Foundation
internal import TakeupDigest

/// The key that a hook's events are signed with.
package struct HookSecret {
    package static let mostBytes = 64 << 10
    /// Before a key that is written in Base64.
    private static let encodedPrefix = "whsec_"

    private let key: [UInt8]

    /// Reads a key: the bytes of the file but for a line's end after them, or `whsec_` and the key in Base64.
    package init(file path: String) throws(HookSecretError) {
        let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { throw Self.unreadable(path) }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: Self.mostBytes + 1)
        let count = read(file, &bytes, bytes.count)
        guard count >= 0 else { throw Self.unreadable(path) }
        guard count <= Self.mostBytes else {
            throw HookSecretError(reason: "the secret in \(path) has more than 64 KiB")
        }
        try self.init(Array(bytes[..<count]), from: path)
    }

    package init(_ bytes: [UInt8], from path: String) throws(HookSecretError) {
        var bytes = bytes
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        let prefix = Array(Self.encodedPrefix.utf8)
        if bytes.starts(with: prefix) {
            key = Data(base64Encoded: Data(bytes.dropFirst(prefix.count))).map(Array.init) ?? []
        } else {
            key = bytes
        }
        guard !key.isEmpty else {
            throw HookSecretError(reason: "the secret in \(path) is empty or no Base64")
        }
    }

    /// The signature of an event, in the form of Standard Webhooks.
    ///
    /// - Parameters:
    ///   - body: As it is sent.
    ///   - id: The event's id.
    ///   - seconds: Time of sending, in seconds since 1970.
    /// - Returns: `v1,` and the HMAC-SHA256 of `id.seconds.body` in Base64.
    /// - Throws: `HookSecretError` without memory.
    package func signature(
        of body: [UInt8], id: String, seconds: String
    ) throws(HookSecretError) -> String {
        do throws(DigestError) {
            let code = try HMACSHA256.of(Array("\(id).\(seconds).".utf8) + body, key: key)
            return "v1,\(Data(code).base64EncodedString())"
        } catch {
            throw HookSecretError(reason: "the event could not be signed")
        }
    }

    private static func unreadable(_ path: String) -> HookSecretError {
        HookSecretError(
            reason: "the secret in \(path) cannot be read: \(String(cString: strerror(errno)))")
    }
}
