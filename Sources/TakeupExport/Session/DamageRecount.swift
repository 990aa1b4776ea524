internal import TakeupFFmpeg
internal import TakeupLanes

/// Counts the losses of a damaged track again, with one decoder thread.
///
/// A decoder with several threads may return a picture before another thread marks it as concealed.
/// The number of marks then differs from run to run. The number of log lines does not.
struct DamageRecount {
    private static let pictureQueue = 4

    let inputs: RunInputs
    let video: VideoTrackPlan
    let timing: FrameTimingPlan
    let control: RunControl
    let progress: ProgressMeter

    /// - Parameter first: The counts of a pass with several threads, by segment.
    /// - Returns: The same counts if the decoder found no fault, otherwise the counts of one
    ///   thread.
    func tallies(_ first: [TrackTally]) -> [TrackTally] {
        guard first.contains(where: \.isDoubtful), !control.isStopped else { return first }
        progress.again()
        return count()
    }

    /// Decodes the track and counts the faults by segment; errors go to the control.
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
