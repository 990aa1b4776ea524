extension MatroskaWalk {
    static let mostElements = 100_000

    /// Returns why the file counts as protected; nil if no track is encrypted.
    ///
    /// - Note: Source: RFC 9559 §5.1.4.1.31: a content encoding of type 1 encrypts.
    func encryption() -> String? {
        var rest = Self.mostElements
        guard let header = element(at: 0), let size = header.size,
            let segment = element(at: header.body + size), segment.id == Self.segment
        else { return nil }
        let end = segment.size.map { min(window.size, segment.body + $0) } ?? window.size
        for tracks in children(of: segment.body..<end, Self.tracks, &rest) {
            for (number, track) in children(of: tracks, 0xAE, &rest).enumerated() {
                for encodings in children(of: track, 0x6D80, &rest) {
                    for encoding in children(of: encodings, 0x6240, &rest)
                    where isEncryption(encoding, &rest) {
                        return "track \(number + 1) is encrypted"
                    }
                }
            }
        }
        return nil
    }

    private func isEncryption(_ encoding: Range<Int64>, _ rest: inout Int) -> Bool {
        if !children(of: encoding, 0x5035, &rest).isEmpty { return true }
        return children(of: encoding, 0x5033, &rest).contains { type in
            window.number(at: type.lowerBound, bytes: min(8, Int64(type.count))) == 1
        }
    }

    /// Returns the contents of the elements with one ID, up to the first of unknown size.
    private func children(
        of range: Range<Int64>, _ id: Int64, _ rest: inout Int
    ) -> [Range<Int64>] {
        var found: [Range<Int64>] = []
        var place = range.lowerBound
        while place < range.upperBound, rest > 0, let next = element(at: place),
            let size = next.size
        {
            rest -= 1
            let end = min(range.upperBound, next.body + size)
            guard next.body <= end else { break }
            if next.id == id { found.append(next.body..<end) }
            place = next.body + size
        }
        return found
    }
}
