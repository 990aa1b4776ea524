internal import TakeupFFmpeg
internal import TakeupTimeline

/// Decodes the first frame of each track of an open demuxer.
struct FirstFrameProbe {
    /// Where the search ends, for tracks that begin late or cannot be decoded.
    private static let packetLimit = 3_000
    private static let byteLimit = 48 * 1024 * 1024

    private struct Candidate {
        let decoder: Decoder
        let timeBase: TimeBase
        let isVideo: Bool
    }

    let demuxer: Demuxer
    private(set) var frames: [Int: FirstFrame] = [:]
    /// Tracks whose packets the container marks as encrypted.
    private(set) var encrypted: Set<Int> = []
    /// Tracks that gave packets but no frame.
    private(set) var silent: Set<Int> = []
    private(set) var failures: [Int: String] = [:]

    init(_ demuxer: Demuxer) {
        self.demuxer = demuxer
    }

    /// Reads from the demuxer's position until every track has shown a frame or the limits are reached.
    mutating func run(limits: InputLimits) throws(FFmpegError) {
        var open = try candidates(limits)
        var (packets, bytes) = (0, 0)
        let packet = try Packet()
        let frame = try Frame()
        while !open.isEmpty, packets < Self.packetLimit, bytes < Self.byteLimit {
            do throws(FFmpegError) {
                guard try demuxer.read(into: packet) else { break }
            } catch {
                if error.status == .interrupted { throw error }
                break
            }
            packets += 1
            bytes += packet.byteCount
            let index = packet.streamIndex
            guard let candidate = open[index] else { continue }
            silent.insert(index)
            if packet.isEncrypted {
                encrypted.insert(index)
                open[index] = nil
            } else if feed(candidate, packet, frame) {
                take(frame, index, candidate)
                open[index] = nil
            }
        }
        for (index, candidate) in open {
            try? candidate.decoder.finish()
            if (try? candidate.decoder.receive(into: frame)) == true {
                take(frame, index, candidate)
            }
        }
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
                    decoder: decoder, timeBase: stream.timeBase, isVideo: stream.kind == .video)
            } catch {
                failures[stream.index] = "\(error.status)"
            }
        }
        return open
    }

    private mutating func feed(
        _ candidate: Candidate, _ packet: borrowing Packet, _ frame: borrowing Frame
    ) -> Bool {
        do throws(FFmpegError) {
            _ = try candidate.decoder.send(packet)
            return try candidate.decoder.receive(into: frame)
        } catch {
            failures[packet.streamIndex] = "\(error.status)"
            return false
        }
    }

    private mutating func take(_ frame: borrowing Frame, _ index: Int, _ candidate: Candidate) {
        var first = FirstFrame()
        first.time = (frame.bestEffortTicks ?? frame.ptsTicks).map { candidate.timeBase.time($0) }
        if candidate.isVideo {
            first.video = frame.videoFormat
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
