internal import TakeupFFmpeg
internal import TakeupLanes

/// Divides the sound of one output track into the encoder's blocks and encodes them, on one lane.
final class AudioStage {
    private let supply: any SoundSupply
    private let coder: SoundCoder
    private let control: RunControl
    private let output: BoundedQueue<Packet>
    private let chunker: FilterGraph
    private(set) var samples: Int64 = 0

    /// Creates the stage; the encoder must be opened with the plan's settings and belong to this
    /// stage only.
    ///
    /// The filters of `chain` keep the number of samples.
    ///
    /// - Throws: `FFmpegError` with `.buildFilter` or `.allocate`.
    init(
        _ supply: any SoundSupply, encoding: AudioEncoding, encoder: Encoder,
        chain: String = "anull",
        control: RunControl, output: BoundedQueue<Packet>
    ) throws(FFmpegError) {
        self.supply = supply
        coder = try SoundCoder(encoding, encoder: encoder)
        self.control = control
        self.output = output
        chunker = try FilterGraph(
            audio: encoding.format, timeBase: TimeBase(1, Int32(encoding.sampleRate)), chain: chain)
        if coder.blockLength > 0 { chunker.setOutputSamples(coder.blockLength) }
    }

    /// Encodes everything, then signals the end to the next stage.
    func run() {
        defer { output.finish() }
        do throws(FFmpegError) {
            try supply.run { [unowned self] frame throws(FFmpegError) in
                try chunker.send(frame)
                try encodeChunks()
            }
            guard !control.isStopped else { return }
            try chunker.finish()
            try encodeChunks()
            try coder.finish(give)
        } catch {
            control.fail(error, .encode)
        }
    }

    private func encodeChunks() throws(FFmpegError) {
        let chunk = try Frame()
        while try chunker.receive(into: chunk) {
            chunk.ptsTicks = samples
            samples += Int64(chunk.sampleCount)
            try coder.encode(chunk, give)
            chunk.clear()
        }
    }

    private func give(_ packet: consuming Packet) {
        _ = output.push(packet)
    }
}

extension AudioEncoding {
    /// The sound format for the encoder.
    var format: AudioFormat {
        AudioFormat(
            sampleRate: sampleRate, sampleFormat: .floatPlanar,
            layout: ChannelLayout(channels: channels, name: channelLayout))
    }
}
