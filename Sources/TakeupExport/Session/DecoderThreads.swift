internal import Foundation
internal import TakeupTimeline

/// How many threads a picture decoder gets.
enum DecoderThreads {
    /// Pixels from which one thread may not keep up with a fast encoder: beyond 1080p.
    private static let large = 1920 * 1088

    private static let shortCut: MediaTime = 30

    /// One, unless the pictures are large or the codec is slow: the encoder needs the cores more.
    static func forPictures(_ inputs: RunInputs, _ video: VideoTrackPlan) -> Int {
        let cores = ProcessInfo.processInfo.activeProcessorCount
        let isLarge = video.segments.contains { segment in
            let track = inputs.assets[segment.source].description.tracks.first {
                $0.index == segment.track
            }
            let pixels = (track?.video?.width ?? 0) * (track?.video?.height ?? 0)
            return pixels > large || (track?.codec != "h264" && pixels > large / 4)
        }
        // A short cut is mostly the way to its start, on which the encoder idles.
        let isShortCut = video.segments.contains { !$0.isWhole && $0.duration < shortCut }
        return isLarge || isShortCut ? max(1, min(cores, 8)) : max(1, min(cores / 4, 4))
    }
}
