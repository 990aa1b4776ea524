internal import TakeupFFmpeg
internal import TakeupLanes

/// Divides the sound of one mixed track into equal blocks for the mixer, on a lane of its own.
final class MixedLine {
    private let line: SoundLine
    private let chunker: FilterGraph
    private let control: RunControl
    private let output: BoundedQueue<Frame>

    /// - Throws: `FFmpegError` with `.buildFilter`.
    init(
        _ line: SoundLine, _ encoding: AudioEncoding, control: RunControl,
        output: BoundedQueue<Frame>
    ) throws(FFmpegError) {
        self.line = line
        self.control = control
        self.output = output
        chunker = try FilterGraph(
            audio: encoding.format, timeBase: TimeBase(1, Int32(encoding.sampleRate)),
            chain: "anull")
        chunker.setOutputSamples(SoundMixer.block)
    }

    var tallies: [TrackTally] { line.tallies }

    /// Gives all blocks, then signals the end to the mixer.
    func run() {
        defer { output.finish() }
        do throws(FFmpegError) {
            try line.run { [unowned self] frame throws(FFmpegError) in
                try chunker.send(frame)
                try push()
            }
            guard !control.isStopped else { return }
            try chunker.finish()
            try push()
        } catch {
            control.fail(error, .decode)
        }
    }

    private func push() throws(FFmpegError) {
        while true {
            let frame = try Frame()
            guard try chunker.receive(into: frame), output.push(frame) else { return }
        }
    }
}
