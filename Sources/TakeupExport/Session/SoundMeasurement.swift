internal import TakeupFFmpeg
internal import TakeupLanes
internal import TakeupModel
internal import TakeupTimeline

/// Runs the sound of single tracks to measure it; nothing is written.
struct SoundMeasurement {
    let inputs: RunInputs
    let cancellation: Cancellation
    let progress: ProgressMeter

    /// Measures tracks as they would be encoded, without a gain.
    ///
    /// - Returns: The levels of each track; nil for a copied one.
    /// - Throws: `ExportError` if a source cannot be read; `.cancelled`.
    func measure(_ tracks: [AudioTrackPlan]) throws(ExportError) -> [SoundLevels?] {
        var all: [SoundLevels?] = []
        for track in tracks {
            guard case .encode(let encoding) = track.mode else {
                all.append(nil)
                continue
            }
            if !all.isEmpty { progress.again() }
            all.append(try measure(track, encoding))
        }
        return all
    }

    private func measure(
        _ track: AudioTrackPlan, _ encoding: AudioEncoding
    ) throws(ExportError) -> SoundLevels {
        try perform(track, encoding) { sound, control throws(FFmpegError) in
            let meter = try LoudnessMeter(encoding.format)
            var position: Int64 = 0
            try sound.supply.run { frame throws(FFmpegError) in
                position += Int64(frame.sampleCount)
                try meter.take(frame)
                progress.reach(
                    MediaTime(value: position, timescale: Int64(encoding.sampleRate)))
            }
            return control.isStopped ? Self.nothing : try meter.finish()
        }
    }

    /// Measures how loud mixed tracks are over time.
    ///
    /// - Parameters:
    ///   - numbers: Which of the composition's tracks.
    ///   - tracks: The output's audio tracks.
    /// - Returns: The levels of those that are in a mix, as `Ducking.volume(under:)` takes them.
    /// - Throws: As `measure`.
    func levels(
        of numbers: Set<Int>, in tracks: [AudioTrackPlan]
    ) throws(ExportError) -> [Int: [Float]] {
        var all: [Int: [Float]] = [:]
        for track in tracks {
            guard case .encode(let encoding) = track.mode, let mix = track.mix else { continue }
            for mixed in mix where numbers.contains(mixed.track) {
                if !all.isEmpty { progress.again() }
                all[mixed.track] = Self.sum(all[mixed.track], try levels(of: mixed, encoding))
            }
        }
        return all
    }

    /// Adds the levels of sounds that have nothing to do with each other.
    private static func sum(_ first: [Float]?, _ second: [Float]) -> [Float] {
        guard let first else { return second }
        return zip(first, second).map { ($0 * $0 + $1 * $1).squareRoot() }
    }

    private func levels(
        of mixed: MixedTrack, _ encoding: AudioEncoding
    ) throws(ExportError) -> [Float] {
        let control = RunControl(cancellation)
        var meter = LevelMeter(
            [mixed.volume] + (mixed.fades.map { [$0] } ?? []), encoding.format)
        var position: Int64 = 0
        do throws(FFmpegError) {
            let line = SoundLine(inputs, mixed.segments, encoding, control, isExact: true)
            try line.run { frame throws(FFmpegError) in
                meter.take(frame)
                position += Int64(frame.sampleCount)
                progress.reach(
                    MediaTime(value: position, timescale: Int64(encoding.sampleRate)))
            }
        } catch {
            control.fail(error, .decode)
        }
        if cancellation.isCancelled { throw .cancelled }
        if let error = control.error { throw error }
        return meter.levels
    }

    /// Encodes a track with its gain, and measures what a player will hear.
    ///
    /// - Throws: As `measure`.
    func trial(
        _ track: AudioTrackPlan, _ encoding: AudioEncoding
    ) throws(ExportError) -> SoundLevels {
        try perform(track, encoding) { sound, control throws(FFmpegError) in
            let packets = BoundedQueue<Packet>(capacity: 64)
            control.onStop { packets.close() }
            let encoder = try Encoder(encoding.settings(search: .fast))
            let decoder = try Decoder(encoder.parameters(), timeBase: encoder.timeBase)
            let stage = Confined(
                try AudioStage(
                    sound.supply, encoding: encoding, encoder: encoder, chain: track.chain,
                    control: control, output: packets))
            let group = LaneGroup()
            group.start("takeup.audio") { stage.value.run() }
            defer {
                packets.close()
                group.wait()
            }
            return try heard(packets, decoder, encoding, control)
        }
    }

    private func heard(
        _ packets: BoundedQueue<Packet>, _ decoder: Decoder, _ encoding: AudioEncoding,
        _ control: RunControl
    ) throws(FFmpegError) -> SoundLevels {
        let meter = try LoudnessMeter(encoding.format)
        let frame = try Frame()
        func drain() throws(FFmpegError) {
            while try decoder.receive(into: frame) {
                let ticks = frame.ptsTicks ?? 0
                progress.reach(
                    MediaTime(value: ticks, timescale: Int64(encoding.sampleRate)))
                // The encoder's first block comes before the beginning.
                if ticks >= 0 { try meter.take(frame) }
            }
        }
        while let packet = packets.pop() {
            while try !decoder.send(packet) { try drain() }
            try drain()
        }
        guard !control.isStopped else { return Self.nothing }
        try decoder.finish()
        try drain()
        return try meter.finish()
    }

    private static let nothing = SoundLevels(loudness: nil, truePeak: SoundLevels.leastPeak)

    private func perform(
        _ track: AudioTrackPlan, _ encoding: AudioEncoding,
        _ body: (TrackSound, RunControl) throws(FFmpegError) -> SoundLevels
    ) throws(ExportError) -> SoundLevels {
        let control = RunControl(cancellation)
        let group = LaneGroup()
        let levels: SoundLevels
        do throws(FFmpegError) {
            let sound = try TrackSound(inputs, track, encoding, control)
            for lane in sound.lanes { group.start("takeup.audio.mix", lane) }
            levels = try body(sound, control)
        } catch {
            control.fail(error, .decode)
            group.wait()
            throw control.error ?? .cancelled
        }
        if control.isStopped { control.stop() }
        group.wait()
        if cancellation.isCancelled { throw .cancelled }
        if let error = control.error { throw error }
        return levels
    }
}
