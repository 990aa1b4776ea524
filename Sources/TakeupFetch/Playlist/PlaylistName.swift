/// What an address's name tells of it before anything is fetched; what comes is judged by its bytes.
enum PlaylistName {
    /// Whether the path of an address, which may be relative, ends as playlists' do.
    static func isOne(_ uri: String) -> Bool {
        let path = Substring(uri.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
            .lowercased()
        return path.hasSuffix(".m3u8") || path.hasSuffix(".m3u")
    }
}
