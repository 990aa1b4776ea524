/// Rules for both kinds of playlist.
enum PlaylistRules {
    /// Newest protocol version with supported rules.
    static let newestVersion: Int64 = 13

    /// Rejects tags that must not be ignored.
    ///
    /// The rejected tags are newer protocol versions and variables, without which addresses would
    /// be wrong.
    static func check(_ tag: PlaylistLine.Tag) throws(PlaylistError) {
        switch tag.name {
        case "EXT-X-VERSION":
            guard try tag.wholeNumber() <= newestVersion else {
                throw .unsupported(line: tag.number, "version \(tag.text)")
            }
        case "EXT-X-DEFINE":
            throw .unsupported(line: tag.number, "variables (EXT-X-DEFINE)")
        case "EXTM3U":
            throw tag.fault("twice")
        default:
            break
        }
    }
}
