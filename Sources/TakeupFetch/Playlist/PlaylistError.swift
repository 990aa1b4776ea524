/// The reason why a playlist cannot be used; lines count from 1.
public enum PlaylistError: Error, Equatable, Sendable {
    /// The text does not begin with `#EXTM3U`.
    case notAPlaylist
    /// The playlist exceeds a limit; the text names the limit.
    case tooLarge(String)
    case malformed(line: Int, String)
    /// The playlist needs an unsupported feature, without which the media would come out wrong.
    case unsupported(line: Int, String)
    /// The media is protected by something other than AES-128.
    case protected(line: Int, method: String)
    /// A segment is itself a playlist.
    case nestedPlaylist(line: Int)
    /// `EXT-X-ENDLIST` is missing: the playlist is still being written.
    case live
    /// The playlist has no segment or no variant.
    case empty
}
