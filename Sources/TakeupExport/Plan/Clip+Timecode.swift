internal import TakeupFFmpeg
internal import TakeupModel
internal import TakeupTimeline

extension Clip {
    /// How far a measured rate may be from the stated one: half of what 30000/1001 is below 30.
    private static let rateSlack = 0.0005

    /// Counts the range from the clip's start if it counts in the source's timecode.
    ///
    /// A source without a timecode begins at 00:00:00:00.
    ///
    /// - Parameter asset: The clip's source; nil for empty time.
    /// - Returns: The clip, its range counted from the source's start.
    /// - Throws: `ExportError` with `.invalidRequest` if the range begins before the source, or the rates differ.
    func countedFromStart(of asset: InspectedAsset?) throws(ExportError) -> Clip {
        guard let rate = timecodeRate, let range, let asset else { return self }
        let name = asset.description.name
        let traits = asset.description.tracks.lazy.compactMap(\.video).first
        let text =
            asset.streams.lazy.compactMap { $0.metadata["timecode"] }.first
            ?? asset.description.metadata["timecode"]
        if let own = traits?.averageFrameRate ?? traits?.nominalFrameRate,
            abs(own.doubleValue / rate.doubleValue - 1) > Self.rateSlack
        {
            throw .invalidRequest(
                reason:
                    "part \(place + 1) counts timecode at \(rate) frames a second, but \(name) has "
                    + "\(own)",
                hint: "give the timeline the frame rate of its sources, or count from their start")
        }
        guard let begin = text.map({ Timecode($0, rate: rate)?.count }) ?? 0 else {
            throw .invalidRequest(
                reason:
                    "\(name) begins at \(text ?? ""), which is no timecode at \(rate) frames a second",
                hint: "give the timeline the frame rate of its sources, or count from their start")
        }
        let offset = MediaTime(seconds: Int64(begin)).shown(at: rate)
        guard range.start >= offset else {
            throw .invalidRequest(
                reason: "part \(place + 1) begins before \(name), whose timecode begins at "
                    + (text ?? "00:00:00:00"),
                hint: "choose the source that the timeline was made of")
        }
        var counted = self
        counted.timecodeRate = nil
        counted.range = TimeRange(start: range.start - offset, duration: range.duration)
        return counted
    }
}
