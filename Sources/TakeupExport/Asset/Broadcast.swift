/// Container formats of broadcasts: recordings start and stop anywhere and may have reception gaps.
enum Broadcast {
    /// Returns whether FFmpeg's container name is one of these formats.
    static func isOne(_ container: String) -> Bool {
        ["mpegts", "mpeg", "wtv"].contains(container)
    }
}
