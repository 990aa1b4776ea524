/// Guesses from an address whether it names a playlist; the fetched bytes decide.
public enum PlaylistName {
    /// Returns whether the path of an absolute or relative address ends like a playlist's.
    public static func isOne(_ uri: String) -> Bool {
        let path = Substring(uri.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
            .lowercased()
        return path.hasSuffix(".m3u8") || path.hasSuffix(".m3u")
    }
}
