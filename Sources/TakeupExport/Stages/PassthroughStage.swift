internal import TakeupFFmpeg
internal import TakeupTimeline

/// Copies all tracks of one whole source in one loop, in the source's packet order.
final class PassthroughStage {
    /// The route of one track from the source to the output.
    struct Route {
        let track: Int
        /// Stream index in the output.
        let stream: Int
        var placer: PacketPlacer
        /// Adds decoding times to pictures and durations to sound.
        var supply: any PacketSupply
        /// Restores sample-exact audio times; nil if no time was rounded.
        var grid: SampleGrid?
        var tally = TrackTally()
        var written: WrittenTrack
        var lastDTS: Int64?
        var isPast = false

        init(
            track: Int, stream: Int, placer: PacketPlacer, supply: any PacketSupply,
            parameters: ParameterWatch
        ) {
            self.track = track
            self.stream = stream
            self.placer = placer
            self.supply = supply
            written = WrittenTrack(
                placer.isVideo ? .video : .audio, timeBase: placer.timeBase, parameters: parameters)
        }
    }

    /// Number of packets between two progress reports.
    private static let reportEvery = 64

    private let demuxer: Demuxer
    private let muxer: Muxer
    private let control: RunControl
    private let progress: ProgressMeter
    private(set) var routes: [Route]

    /// Creates the stage; the demuxer must be open and the muxer's header written.
    init(
        _ demuxer: Demuxer, routes: [Route], muxer: Muxer, control: RunControl,
        progress: ProgressMeter
    ) {
        self.demuxer = demuxer
        self.routes = routes
        self.muxer = muxer
        self.control = control
        self.progress = progress
    }

    /// Copies until every track has ended.
    func run() throws(FFmpegError) {
        let places = Dictionary(uniqueKeysWithValues: routes.enumerated().map { ($1.track, $0) })
        demuxer.select(Set(places.keys))
        while !control.isStopped, routes.contains(where: { !$0.isPast }) {
            let packet = try Packet()
            do throws(FFmpegError) {
                guard try demuxer.read(into: packet) else { break }
            } catch {
                if error.status == .interrupted { throw error }
                for place in routes.indices { routes[place].tally.readFailure = "\(error.status)" }
                break
            }
            guard let place = places[packet.streamIndex] else { continue }
            routes[place].tally.packets += 1
            if packet.isCorrupt { routes[place].tally.corruptPackets += 1 }
            routes[place].supply.push(packet)
            try drain(place, atEnd: false)
        }
        for place in routes.indices {
            if !control.isStopped { try drain(place, atEnd: true) }
            routes[place].tally.isWhole = !routes[place].isPast
        }
    }

    /// Copies the packets of one track whose times and durations are known.
    private func drain(_ place: Int, atEnd: Bool) throws(FFmpegError) {
        while let packet = routes[place].supply.pop(atEnd: atEnd) { try copy(packet, place) }
    }

    private func copy(_ packet: borrowing Packet, _ place: Int) throws(FFmpegError) {
        switch routes[place].placer.place(packet) {
        case .skip: if !packet.isDiscarded { routes[place].tally.refusedBeforeFirst += 1 }
        // This stage copies only whole tracks, so there is no cut end to wait for.
        case .wait, .past: routes[place].isPast = true
        case .write:
            let base = routes[place].placer.timeBase
            let before = routes[place].written
            let time = routes[place].written.count(packet)
            if routes[place].tally.packets % Self.reportEvery == 0 {
                progress.reach(base.time(time))
            }
            packet.streamIndex = routes[place].stream
            let target = muxer.timeBase(of: routes[place].stream)
            packet.rescale(from: base, to: target)
            if target == routes[place].grid?.timeBase { routes[place].grid?.place(packet) }
            routes[place].lastDTS = packet.keepOrder(after: routes[place].lastDTS)
            do throws(FFmpegError) {
                try muxer.write(packet)
            } catch {
                try routes[place].written.noteRefusal(error, before: before)
            }
        }
    }
}
