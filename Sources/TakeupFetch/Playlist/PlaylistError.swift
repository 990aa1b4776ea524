/// Why a playlist cannot be used; lines count from 1.
public enum PlaylistError: Error, Equatable, Sendable {
    /// It does not begin with `#EXTM3U`.
    case notAPlaylist
    /// Larger than a limit, which is named.
    case tooLarge(String)
    case malformed(line: Int, String)
    /// Something without which the media would come out wrong.
    case unsupported(line: Int, String)
    /// Its media is protected by more than AES-128.
    case protected(line: Int, method: String)
    /// A segment is a playlist itself.
    case nestedPlaylist(line: Int)
    /// No `EXT-X-ENDLIST`: it is still being written.
    case live
    /// No segment, or no variant.
    case empty
}
