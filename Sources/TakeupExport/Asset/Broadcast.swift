/// Containers that are tuned into and out of anywhere, and may have holes where nothing was received.
enum Broadcast {
    /// Tells by FFmpeg's name of the container.
    static func isOne(_ container: String) -> Bool {
        ["mpegts", "mpeg", "wtv"].contains(container)
    }
}
