/// Walks a Matroska or WebM file from element to element, into its clusters.
///
/// - Note: Source: RFC 8794 and RFC 9559.
struct MatroskaWalk {
    static let segment: Int64 = 0x1853_8067
    static let cluster: Int64 = 0x1F43_B675
    static let tracks: Int64 = 0x1654_AE6B
    /// Elements of a segment; each of them ends a cluster of unknown size.
    private static let topLevel: Set<Int64> = [
        cluster, 0x114D_9B74, 0x1549_A966, tracks, 0x1C53_BB6B, 0x1941_A469, 0x1043_A770,
        0x1254_C367,
    ]
    /// Elements of a cluster.
    private static let inCluster: Set<Int64> = [0xE7, 0xA7, 0xAB, 0xA3, 0xA0, 0xAF, 0x5854]
    /// Elements that may occur anywhere: Void and CRC-32.
    private static let anywhere: Set<Int64> = [0xEC, 0xBF]

    let window: ByteWindow

    init(_ window: ByteWindow) {
        self.window = window
    }

    struct Element {
        let id: Int64
        /// Size in bytes; nil if unknown.
        let size: Int64?
        let body: Int64
    }

    func fault() -> ContainerWalk.Fault? {
        guard let header = element(at: 0), let size = header.size,
            let segment = element(at: header.body + size), segment.id == Self.segment
        else { return nil }
        let end = segment.size.map { min(window.size, segment.body + $0) } ?? window.size
        var place = segment.body
        while place < end {
            guard let next = element(at: place) else {
                return place + 12 > window.size ? .cut : stray(place, segment)
            }
            if Self.topLevel.contains(next.id) || Self.anywhere.contains(next.id) {
                if next.id == Self.cluster, next.size == nil {
                    place = next.body
                } else if next.id == Self.cluster {
                    if let fault = walkCluster(next) { return fault }
                    place = next.body + (next.size ?? 0)
                } else {
                    guard let size = next.size else { return stray(place, segment) }
                    place = next.body + size
                    // Elements after the media (cues, tags) may be truncated without a loss.
                }
            } else if Self.inCluster.contains(next.id), let size = next.size {
                // An element within a cluster of unknown size.
                place = next.body + size
                if place > window.size { return .cut }
            } else {
                return stray(place, segment)
            }
        }
        return nil
    }

    /// Judges bytes that are no known element: after a segment of unknown size, they may be junk.
    private func stray(_ place: Int64, _ segment: Element) -> ContainerWalk.Fault? {
        let isTail =
            segment.size == nil
            && ContainerWalk.isTail(place, window) {
                window[$0] == 0x1F && window.number(at: $0, bytes: 4) == Self.cluster
            }
        return isTail ? nil : .broken(at: place)
    }

    /// Returns the end of the file that begins at `start`, as an offset.
    func end(after start: Int64) -> Int64? {
        guard let header = element(at: start), let size = header.size,
            let segment = element(at: header.body + size), segment.id == Self.segment
        else { return nil }
        var place = segment.size.map { segment.body + $0 } ?? segment.body
        while place < window.size, let next = element(at: place) {
            let isKnown =
                Self.anywhere.contains(next.id)
                || segment.size == nil
                    && (Self.topLevel.contains(next.id) || Self.inCluster.contains(next.id))
            guard isKnown else { return place }
            guard let size = next.size else {
                guard next.id == Self.cluster else { return place }
                place = next.body
                continue
            }
            place = next.body + size
        }
        return place
    }

    private func walkCluster(_ cluster: Element) -> ContainerWalk.Fault? {
        let end = cluster.body + (cluster.size ?? 0)
        var place = cluster.body
        while place < end {
            guard let next = element(at: place) else {
                return place + 12 > window.size ? .cut : .broken(at: place)
            }
            guard Self.inCluster.contains(next.id) || Self.anywhere.contains(next.id),
                let size = next.size
            else { return .broken(at: place) }
            place = next.body + size
            if place > window.size { return .cut }
        }
        return place == end ? nil : .broken(at: place)
    }

    func element(at place: Int64) -> Element? {
        guard let first = window[place], first >= 0x10 else { return nil }
        let idBytes = Int64(first.leadingZeroBitCount + 1)
        guard let id = window.number(at: place, bytes: idBytes),
            let mark = window[place + idBytes], mark != 0
        else { return nil }
        let sizeBytes = Int64(mark.leadingZeroBitCount + 1)
        guard let raw = window.number(at: place + idBytes, bytes: sizeBytes) else { return nil }
        let bits = 7 * sizeBytes
        let value = raw & ((1 << bits) - 1)
        let isUnknown = value == (1 << bits) - 1
        // No size exceeds what a 64-bit offset can address.
        guard value < 1 << 60 else { return nil }
        return Element(id: id, size: isUnknown ? nil : value, body: place + idBytes + sizeBytes)
    }
}
