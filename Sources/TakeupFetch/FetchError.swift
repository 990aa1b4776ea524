/// The reason why an asset's bytes cannot be fetched.
public enum FetchError: Error, Equatable, Sendable {
    /// The origin answered with a status that no retry can fix.
    case status(Int, address: String)
    /// The origin's answer contradicts itself or the request.
    case invalidResponse(String, address: String)
    /// The origin holds another version than the one whose download began.
    case changed(address: String)
    /// The answer is not media: for example a page, a document or a compressed body.
    case notMedia(String, address: String)
    /// Media of an unsupported kind: a live, protected or split playlist.
    case unsupported(String, address: String)
    /// The access right to an address ended (401, 403 or 410 on an address that worked before).
    case expired(address: String)
    /// An address, scheme or redirect is not permitted.
    case denied(String, address: String)
    /// The object is larger than the limit, in bytes.
    case tooLarge(limitBytes: Int64, address: String)
    /// All bytes are here but do not match the origin's stated digest; they were dropped. `found`
    /// is in hexadecimal.
    case checksumMismatch(StatedDigest, found: String, address: String)
    /// All tries without progress are used up. The text is the last reason.
    case unreachable(String, address: String)
    /// An operation on a file of the source failed.
    case storage(path: String, errno: Int32)
    case cancelled
}
