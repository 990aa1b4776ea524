internal import TakeupFFmpeg

/// Finds signs of copy protection in a container that FFmpeg ignores or only logs.
///
/// A decoder then returns noise or nothing; this is no damage that could be salvaged.
struct ProtectionMarks {
    /// Number of first bytes to search for marks if a container has no table of them.
    private static let headBytes: Int64 = 1 << 20

    /// Encrypted streams, by index in the container.
    private(set) var tracks: Set<Int> = []
    /// Why the whole source counts as protected; nil if it does not.
    private(set) var reason: String?

    /// Reads the source next to an open demuxer that has found the streams.
    init(_ source: any ByteSource, _ demuxer: Demuxer, entries: SampleEntries) {
        let container = demuxer.container
        tracks = entries.encrypted
        if Self.isRecordingProtected(demuxer.metadata) {
            reason = "the recording is marked as copy-protected"
        }
        guard let window = ByteWindow(source) else { return }
        if container.contains("matroska") {
            reason = MatroskaWalk(window).encryption() ?? reason
        }
        switch container {
        case "asf", "asf_o": reason = ASFProtection.reason(window) ?? reason
        case "flv", "live_flv":
            if Self.isFlashFiltered(window) { reason = "its tags are encrypted" }
        case "mxf": if Self.hasCryptographicEssence(window) { reason = "its essence is encrypted" }
        case "mpegts": tracks.formUnion(Self.scrambled(window, demuxer.streams))
        default: break
        }
    }

    /// - Note: Source: Windows Media attributes of WTV and DVR-MS recordings.
    private static func isRecordingProtected(_ metadata: [String: String]) -> Bool {
        metadata.contains { key, value in
            ["wm/wmrvcontentprotected", "wm/wmrvencrypted"].contains(key.lowercased())
                && ["true", "1"].contains(value.lowercased())
        }
    }

    /// - Note: Source: Adobe Flash Video File Format 10.1, annex E.4.1: the filter bit of a tag.
    private static func isFlashFiltered(_ window: ByteWindow) -> Bool {
        guard var place = window.number(at: 5, bytes: 4).map({ $0 + 4 }) else { return false }
        while place < min(window.size, headBytes), let type = window[place],
            let length = window.number(at: place + 1, bytes: 3)
        {
            if [0x28, 0x29].contains(type) { return true }
            guard [8, 9, 18].contains(type) else { return false }
            place += 11 + length + 4
        }
        return false
    }

    /// - Note: Source: SMPTE ST 429-6: the label of the encrypted essence container, whatever its version byte.
    private static func hasCryptographicEssence(_ window: ByteWindow) -> Bool {
        let label: [UInt8] = [
            0x06, 0x0E, 0x2B, 0x34, 0x04, 0x01, 0x01, 0x00, 0x0D, 0x01, 0x03, 0x01, 0x02, 0x0B,
        ]
        for place in 0..<max(0, min(window.size, headBytes) - 16) where window[place] == label[0] {
            let isLabel = label.indices.allSatisfy {
                $0 == 7 || window[place + Int64($0)] == label[$0]
            }
            if isLabel { return true }
        }
        return false
    }

    /// Returns the streams with scrambled packets, and those with HLS sample encryption.
    ///
    /// - Note: Source: ISO/IEC 13818-1 §2.4.3.3, and Apple's MPEG-2 Stream Encryption Format for
    ///   HTTP Live Streaming: stream types 0xDB, 0xCF, 0xC1 and 0xC2.
    private static func scrambled(
        _ window: ByteWindow, _ streams: [StreamDescription]
    ) -> Set<Int> {
        var found = Set(
            streams.filter { stream in
                [0xDB, 0xCF, 0xC1, 0xC2].contains(stream.codecTagNumber)
                    && ["h264", "aac", "ac3", "eac3"].contains(stream.codec)
            }.map(\.index))
        var counts: [Int64: (all: Int, scrambled: Int)] = [:]
        guard let (length, sync) = TransportPackets.form(window) else { return found }
        var place = sync
        while place + 4 <= min(window.size, headBytes) {
            defer { place += length }
            guard window[place] == 0x47, let pid = window.number(at: place + 1, bytes: 2),
                let flags = window[place + 3], flags & 0x10 != 0
            else { continue }
            counts[pid & 0x1FFF, default: (0, 0)].all += 1
            if flags & 0x80 != 0 { counts[pid & 0x1FFF]?.scrambled += 1 }
        }
        for stream in streams {
            guard let count = counts[Int64(stream.containerID)] else { continue }
            if count.scrambled * 2 > count.all { found.insert(stream.index) }
        }
        return found
    }
}
