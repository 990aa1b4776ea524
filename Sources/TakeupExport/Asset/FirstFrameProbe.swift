internal import TakeupFFmpeg
internal import TakeupTimeline

/// Decodes the first frame of each track, and the first few blocks of audio tracks.
struct FirstFrameProbe {
    /// Limits of the search, for tracks that begin late or cannot be decoded.
    private static let packetLimit = 3_000
    private static let byteLimit = 48 * 1024 * 1024
    /// Number of packets read for further audio blocks once each track has shown its first frame.
    private static let paceLimit = 100

    private struct Candidate {
        let decoder: Decoder
        let codec: String
        let timeBase: TimeBase
        let isVideo: Bool
    }

    let demuxer: Demuxer
    private(set) var frames: [Int: FirstFrame] = [:]
    /// The beginning of each video track.
    private(set) var openings: [Int: TrackOpening] = [:]
    /// Tracks with packets that the container marks as encrypted.
    private(set) var encrypted: Set<Int> = []
    /// Tracks that returned packets but no frame.
    private(set) var silent: Set<Int> = []
    private(set) var failures: [Int: String] = [:]
    /// For each track, the packets after the first frame and how many of them the decoder refused.
    private var later: [Int: (packets: Int, refused: Int)] = [:]

    init(_ demuxer: Demuxer) {
        self.demuxer = demuxer
    }

    /// Reads from the demuxer's position until every track has shown a frame or a limit is reached.
    mutating func run(limits: InputLimits) throws(FFmpegError) {
        var open = try candidates(limits)
        var (packets, bytes) = (0, 0)
        let packet = try Packet()
        let frame = try Frame()
        var spare = Self.paceLimit
        var isWhole = false
        while !open.isEmpty, packets < Self.packetLimit, bytes < Self.byteLimit, spare > 0 {
            do throws(FFmpegError) {
                guard try demuxer.read(into: packet) else {
                    isWhole = true
                    break
                }
            } catch {
                if error.status == .interrupted { throw error }
                break
            }
            packets += 1
            bytes += packet.byteCount
            let index = packet.streamIndex
            let hasAll = open.keys.allSatisfy {
                frames[$0] != nil && openings[$0]?.hasKey ?? true
            }
            if hasAll { spare -= 1 }
            guard let candidate = open[index] else { continue }
            if packet.isEncrypted {
                encrypted.insert(index)
                open[index] = nil
                continue
            }
            if candidate.isVideo { openings[index, default: TrackOpening()].note(packet) }
            if frames[index] == nil || !candidate.isVideo { feed(candidate, packet, frame) }
            if isKnown(index, candidate) { open[index] = nil }
        }
        for (index, candidate) in open {
            try? candidate.decoder.finish()
            try? drain(candidate, index, frame)
            if isWhole { dropKeyless(index, candidate) }
        }
    }

    /// Drops an HEVC track without a keyframe as undecodable: its pictures come out grey without an
    /// error.
    private mutating func dropKeyless(_ index: Int, _ candidate: Candidate) {
        guard candidate.codec == "hevc", frames[index]?.isKey == false,
            openings[index]?.hasKey == false
        else { return }
        frames[index] = nil
        failures[index] = "it has no keyframe"
    }

    private func isKnown(_ index: Int, _ candidate: Candidate) -> Bool {
        guard let frame = frames[index] else { return false }
        return candidate.isVideo ? openings[index]?.isSettled ?? true : frame.pace.isKnown
    }

    private mutating func candidates(_ limits: InputLimits) throws(FFmpegError) -> [Int: Candidate]
    {
        var open: [Int: Candidate] = [:]
        for stream in demuxer.streams where stream.hasDecoder && !stream.isAttachedPicture {
            guard stream.kind == .video || stream.kind == .audio else { continue }
            do throws(FFmpegError) {
                var settings = Decoder.Settings(threads: 1, pixelLimit: limits.pixels)
                settings.isImpatient = true
                let decoder = try Decoder(
                    demuxer.parameters(of: stream.index), timeBase: stream.timeBase,
                    settings: settings)
                open[stream.index] = Candidate(
                    decoder: decoder, codec: stream.codec, timeBase: stream.timeBase,
                    isVideo: stream.kind == .video)
            } catch {
                failures[stream.index] = "\(error.status)"
            }
        }
        return open
    }

    private mutating func feed(
        _ candidate: Candidate, _ packet: borrowing Packet, _ frame: borrowing Frame
    ) {
        let index = packet.streamIndex
        let isFirst = frames[index] == nil
        if isFirst { silent.insert(index) }
        var isRefused = false
        do throws(FFmpegError) {
            _ = try candidate.decoder.send(packet)
            try drain(candidate, index, frame)
        } catch {
            isRefused = true
            if isFirst { failures[index] = "\(error.status)" }
        }
        if isFirst {
            frames[index]?.objection = Self.foreign(packet, candidate.codec)
        } else {
            judge(index, isRefused)
        }
    }

    /// Counts an audio packet after the first block.
    ///
    /// If most are refused, a copy would be no better.
    private mutating func judge(_ index: Int, _ isRefused: Bool) {
        var (packets, refused) = later[index] ?? (0, 0)
        packets += 1
        if isRefused { refused += 1 }
        later[index] = (packets, refused)
        guard refused >= 2, refused * 2 > packets else { return }
        frames[index]?.objection = "most of its first packets of sound cannot be decoded"
    }

    /// - Returns: Why a packet has another codec than its container states.
    /// - Note: Source: ETSI TS 102 366 §E.1.3.1.6: `bsid` above 10 is E-AC-3; both have it in byte
    ///   5.
    private static func foreign(_ packet: borrowing Packet, _ codec: String) -> String? {
        let isEnhanced = packet.withBytes { $0.count > 5 && $0[5] >> 3 > 10 }
        guard codec == "ac3", isEnhanced else { return nil }
        return "its sound is E-AC-3, though its container says AC-3"
    }

    private mutating func drain(
        _ candidate: Candidate, _ index: Int, _ frame: borrowing Frame
    ) throws(FFmpegError) {
        while frames[index] == nil || !candidate.isVideo && !isKnown(index, candidate),
            try candidate.decoder.receive(into: frame)
        {
            if frames[index] == nil { take(frame, index, candidate) }
            guard !candidate.isVideo else { continue }
            let rate = max(1, frame.audioFormat.sampleRate)
            frames[index]?.pace.add(
                (frame.ptsTicks ?? frame.bestEffortTicks).map { candidate.timeBase.time($0) },
                lasting: Double(frame.sampleCount) / Double(rate))
        }
    }

    private mutating func take(_ frame: borrowing Frame, _ index: Int, _ candidate: Candidate) {
        var first = FirstFrame()
        first.time = (frame.bestEffortTicks ?? frame.ptsTicks).map { candidate.timeBase.time($0) }
        if candidate.isVideo {
            first.video = frame.videoFormat
            first.isKey = frame.isKey
            first.isInterlaced = frame.isInterlaced
            first.isTopFieldFirst = frame.isTopFieldFirst
            first.displayMatrix = frame.displayMatrix
            first.masteringDisplay = frame.masteringDisplay
            first.contentLight = frame.contentLight
        } else {
            first.audio = frame.audioFormat
        }
        frames[index] = first
        silent.remove(index)
    }
}
