/// Why a track is copied, encoded or left out: a word that stays, and a sentence for people.
public struct PlanReason: Sendable, Equatable, Codable {
    /// Stable words for programs.
    public enum Code: String, Sendable, CaseIterable, Codable {
        // Copied.
        case meetsPreset, presetCopies, partsCopied
        // Encoded, or refused where the preset copies.
        case emptyTime, speedChanged, mixed, composed
        case joined, tracksDiffer, codecNotInMP4, noPresentationTimes, parametersChange, clockJumps
        case timesWrong, firstFrameWrong
        case sourceIncomplete, copyProvedWrong, copyingOff, salvaged, partMissing, hiddenPart
        case sizeLimited, cut, formatUnknown, otherCodec, rotated, pixelsNotSquare, size
        case pixelFormat, fullRange, highDynamicRange, dolbyVision, interlaced, frameRate
        case bitRateUnknown, bitRate, gaps, gapsUnknown, startsLate
        case channels, channelLayout, sampleRate, loudness
        // Left out.
        case notDecodable, oneTrackKept, notMedia, presetDrops, notText, notLowest, noPictures
    }

    public var code: Code
    public var text: String

    /// Why a track that nothing speaks against is copied.
    package static func copied(by preset: ExportPreset, copies: Bool) -> PlanReason {
        copies
            ? PlanReason(.presetCopies, "the preset \(preset.name) copies")
            : PlanReason(.meetsPreset, "it already meets the preset \(preset.name)")
    }

    package init(_ code: Code, _ text: String) {
        (self.code, self.text) = (code, text)
    }
}
