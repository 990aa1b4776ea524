internal import TakeupTimeline

extension InspectionFacts {
    /// Removes trailing zeros from the faults if the media proves to be complete; call after
    /// reading the packets.
    mutating func forgetZeros(in window: ByteWindow) {
        // The walk over the frames found no loss; bytes behind the stated ones count in FFmpeg's duration.
        if fault == nil, let statedFrames, statedFrames > 0, bearsOut(.frames(statedFrames)) {
            declaredDuration = span
        }
        guard case .unreadable(var parts, let reason, _)? = fault,
            let proof = EndProof.find(window, container, fault), bearsOut(proof)
        else { return }
        parts.removeLast()
        fault = parts.isEmpty ? nil : .unreadable(parts, reason)
        // If an MP3 has too many bytes, FFmpeg's duration, computed from the bytes, is wrong.
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

    /// Time from the first to the last existing packet.
    private var span: MediaTime? {
        let starts = scan?.streams.values.compactMap(\.start)
        let ends = scan?.streams.values.compactMap(\.end)
        guard let start = starts?.min() ?? gaps?.start, let end = ends?.max() ?? gaps?.end else {
            return nil
        }
        return end - start
    }
}
