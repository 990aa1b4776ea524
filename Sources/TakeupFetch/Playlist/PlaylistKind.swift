/// The kind of playlist that a tag belongs to.
enum PlaylistKind {
    case master, media

    /// - Returns: nil for a tag of both kinds and for an unknown tag.
    init?(tag: String) {
        switch tag {
        case "EXT-X-STREAM-INF", "EXT-X-MEDIA", "EXT-X-I-FRAME-STREAM-INF",
            "EXT-X-SESSION-DATA", "EXT-X-SESSION-KEY":
            self = .master
        case "EXTINF", "EXT-X-TARGETDURATION", "EXT-X-MEDIA-SEQUENCE", "EXT-X-BYTERANGE",
            "EXT-X-KEY", "EXT-X-MAP", "EXT-X-DISCONTINUITY", "EXT-X-ENDLIST",
            "EXT-X-PLAYLIST-TYPE", "EXT-X-I-FRAMES-ONLY", "EXT-X-DISCONTINUITY-SEQUENCE":
            self = .media
        default:
            return nil
        }
    }
}
