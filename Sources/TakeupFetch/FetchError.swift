/// Why an asset's bytes cannot be had.
public enum FetchError: Error, Equatable, Sendable {
    /// The origin answered with a status that no further try heals.
    case status(Int, address: String)
    /// The origin's answer contradicts itself or what was asked.
    case invalidResponse(String, address: String)
    /// The origin holds another version than the one that was begun.
    case changed(address: String)
    /// What came is no media: a page, a document, a compressed body.
    case notMedia(String, address: String)
    /// Media of a kind that is not taken: a live, protected or split playlist.
    case unsupported(String, address: String)
    /// The right to the address has ended (401, 403, 410 on one that worked).
    case expired(address: String)
    /// An address, scheme or redirect that is not permitted.
    case denied(String, address: String)
    /// Larger than what the limits permit.
    case tooLarge(limitBytes: Int64, address: String)
    /// All bytes are here, and are not what the origin states of them; they were dropped. `found` is in hexadecimal.
    case checksumMismatch(StatedDigest, found: String, address: String)
    /// Tries without any progress are used up; the last reason.
    case unreachable(String, address: String)
    /// A file of the source failed.
    case storage(path: String, errno: Int32)
    case cancelled
}
