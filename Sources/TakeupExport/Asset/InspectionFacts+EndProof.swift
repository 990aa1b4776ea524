internal import TakeupTimeline

extension InspectionFacts {
    /// Forgets zeros behind media that prove themselves whole, once the packets have been read.
    mutating func forgetZeros(in window: ByteWindow) {
        guard case .unreadable(var parts, let reason)? = fault,
            let proof = EndProof.find(window, container, fault), bearsOut(proof)
        else { return }
        parts.removeLast()
        fault = parts.isEmpty ? nil : .unreadable(parts, reason)
        // FFmpeg takes the length of an MP3 from its bytes where these are too many.
        if case .frames = proof { declaredDuration = span }
    }

    private func bearsOut(_ proof: EndProof) -> Bool {
        let packets = scan?.streams.values.map(\.packets).max() ?? 0
        switch proof {
        case .length(let told): return span.map { told - $0 <= LossFinder.frame } ?? false
        case .frames(let count):
            guard let span, packets > 0 else { return false }
            let missing = Double(max(0, count - packets)) / Double(packets)
            return span.seconds * missing <= LossFinder.frame.seconds
        case .picture: return packets == 1
        }
    }

    /// From the first to the last moment that is there.
    private var span: MediaTime? {
        let starts = scan?.streams.values.compactMap(\.start)
        let ends = scan?.streams.values.compactMap(\.end)
        guard let start = starts?.min() ?? gaps?.start, let end = ends?.max() ?? gaps?.end else {
            return nil
        }
        return end - start
    }
}
