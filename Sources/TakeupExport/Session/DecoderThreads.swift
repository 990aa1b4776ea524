internal import Foundation
internal import TakeupTimeline

/// Chooses the number of threads for a video decoder.
enum DecoderThreads {
    /// Number of pixels above which one thread may be slower than a fast encoder: more than 1080p.
    private static let large = 1920 * 1088

    private static let shortCut: MediaTime = 30

    /// Returns up to a quarter of the cores, at most 4, because the encoder needs the cores more.
    ///
    /// Large pictures, slow codecs and short cuts get up to 8 threads.
    static func forPictures(_ inputs: RunInputs, _ video: VideoTrackPlan) -> Int {
        let cores = ProcessInfo.processInfo.activeProcessorCount
        let isLarge = video.segments.contains { segment in
            let track = inputs.assets[segment.source].description.tracks.first {
                $0.index == segment.track
            }
            let pixels = (track?.video?.width ?? 0) * (track?.video?.height ?? 0)
            return pixels > large || (track?.codec != "h264" && pixels > large / 4)
        }
        // In a short cut, most of the time goes into reaching its start, while the encoder is idle.
        let isShortCut = video.segments.contains {
            !$0.isWhole && !$0.isEmpty && $0.ownDuration < shortCut
        }
        return isLarge || isShortCut ? max(1, min(cores, 8)) : max(1, min(cores / 4, 4))
    }
}
