internal import TakeupFFmpeg
internal import TakeupLanes
internal import TakeupModel

/// Where the sound of one encoded output track comes from: one line, or a mix of lines on lanes of their own.
struct TrackSound {
    /// Blocks of one mixed track that wait for the mixer.
    private static let blockQueue = 64

    let supply: any SoundSupply
    /// The bodies of the lanes that a mix needs.
    private(set) var lanes: [@Sendable () -> Void] = []
    /// The segments of sources, with what is known of them once all sound has come.
    private(set) var tallies: [(segments: [TrackSegment], found: () -> [TrackTally])] = []
    /// nil without a mix.
    private(set) var mixer: SoundMixer?

    /// - Throws: `FFmpegError` with `.buildFilter`.
    init(
        _ inputs: RunInputs, _ audio: AudioTrackPlan, _ encoding: AudioEncoding,
        _ control: RunControl
    ) throws(FFmpegError) {
        guard let mix = audio.mix else {
            // The ends of parts are exact, so that many of them do not move the sound away from the pictures.
            let isCut = audio.segments.count > 1 && audio.segments.contains { !$0.isWhole }
            let line = SoundLine(
                inputs, audio.segments, encoding, control,
                isExact: isCut || audio.segments.contains(where: \.isMade))
            supply = line
            tallies = [(audio.segments.filter { $0.track != nil }, { line.tallies })]
            return
        }
        var tracks: [(queue: BoundedQueue<Frame>, volumes: [Volume])] = []
        for track in mix {
            let queue = BoundedQueue<Frame>(capacity: Self.blockQueue)
            control.onStop { queue.close() }
            let line = Confined(
                try MixedLine(
                    SoundLine(inputs, track.segments, encoding, control, isExact: true), encoding,
                    control: control, output: queue))
            lanes.append { line.value.run() }
            tallies.append(
                (track.segments.filter { $0.track != nil }, { line.value.tallies }))
            tracks.append(
                (queue, [track.volume] + [track.ducking, track.fades].compactMap(\.self)))
        }
        let mixer = SoundMixer(tracks, encoding)
        supply = mixer
        self.mixer = mixer
    }
}

extension AudioTrackPlan {
    /// The filters for all of the track's sound, in front of the encoder.
    var chain: String {
        if let loudness { return loudness.chain }
        return mix == nil ? "anull" : SoundMixer.limiter
    }
}
