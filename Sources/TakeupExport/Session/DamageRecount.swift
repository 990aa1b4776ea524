internal import TakeupFFmpeg
internal import TakeupLanes

/// Counts once more, with one decoder thread, what a damaged track lost.
///
/// A decoder with several threads may give a picture out before another thread marks it as patched up, so that
/// the number of marks differs from run to run. The lines that it writes to the log do not.
struct DamageRecount {
    private static let pictureQueue = 4

    let inputs: RunInputs
    let video: VideoTrackPlan
    let timing: FrameTimingPlan
    let control: RunControl
    let progress: ProgressMeter

    /// - Parameter first: What a pass with several threads counted, by segment.
    /// - Returns: The same where the decoder found no fault, else what one thread counts.
    func tallies(_ first: [TrackTally]) -> [TrackTally] {
        guard first.contains(where: \.isDoubtful), !control.isStopped else { return first }
        progress.again()
        return count()
    }

    /// Decodes the track and counts by segment what is wrong with it; an error is the control's.
    func count() -> [TrackTally] {
        let pictures = BoundedQueue<TimedFrame>(capacity: Self.pictureQueue)
        control.onStop { pictures.close() }
        let stage = Confined(
            VideoDecodeStage(
                inputs, plan: video, timing: timing, control: control, output: pictures,
                threads: 1))
        let group = LaneGroup()
        group.start("takeup.video.recount") { stage.value.run() }
        let base = TimeBase(1, Int32(clamping: timing.timescale))
        while let picture = pictures.pop() {
            progress.reach(base.time(picture.frame.ptsTicks ?? 0))
        }
        group.wait()
        return stage.value.tallies
    }
}
