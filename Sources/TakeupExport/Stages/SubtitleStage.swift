internal import TakeupFFmpeg
internal import TakeupLanes
internal import TakeupModel

/// Writes the cues of one track as MP4 timed text on one lane.
final class SubtitleStage {
    static let timeBase = CueReader.timeBase

    private let reader: CueReader
    private let control: RunControl
    private let output: BoundedQueue<Packet>

    init(
        _ inputs: RunInputs, _ plan: SubtitleTrackPlan, control: RunControl,
        output: BoundedQueue<Packet>
    ) throws(FFmpegError) {
        reader = try CueReader(plan, inputs, cancellation: control.cancellation)
        self.control = control
        self.output = output
    }

    func parameters() throws(FFmpegError) -> CodecParameters { try reader.parameters() }

    /// Converts everything, then signals the end to the next stage.
    func run() {
        defer { output.finish() }
        var lastEnd: Int64 = 0
        do throws(FFmpegError) {
            while !control.isStopped, let cue = try reader.next() {
                // Timed text shows one cue after another.
                let first = max(cue.start, lastEnd)
                guard first < cue.end else { continue }
                let packet = try Packet()
                try packet.setBytes(cue.bytes)
                packet.ptsTicks = first
                packet.dtsTicks = first
                packet.durationTicks = cue.end - first
                lastEnd = cue.end
                _ = output.push(packet)
            }
        } catch {
            control.fail(error, .mux)
        }
    }
}
