internal import TakeupFFmpeg

/// Explains from a file's first bytes why no container was recognised.
enum HeadReason {
    static func explain(_ head: [UInt8], _ status: FFmpegStatus) -> String {
        let text = String(decoding: head.prefix(64), as: UTF8.self)
        if text.hasPrefix("#EXTM3U") { return "it is a playlist (HLS), which names other files" }
        if text.hasPrefix("ffconcat") { return "it is a concat script, which names other files" }
        if text.contains("<MPD") || text.contains("<?xml") {
            return "it is an XML document, not a container"
        }
        if text.hasPrefix("v=0") { return "it is a session description (SDP), not a container" }
        if text.hasPrefix("<!DOCTYPE") || text.hasPrefix("<html") { return "it is a web page" }
        if head.count >= 8, Array(head[4..<8]) == Array("ftyp".utf8) {
            return "its index (the moov box) is missing or damaged: "
                + "the recording or the upload was probably cut short"
        }
        if status == .outOfMemory || status == .invalidArgument {
            return
                "its container is none that Takeup reads, or its header asks for more than the limits allow"
        }
        if head.allSatisfy({ $0 == 0 }) { return "its first bytes are all zeros: it has no media" }
        return "no known media container was recognised (\(status))"
    }
}
