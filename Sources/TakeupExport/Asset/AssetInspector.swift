internal import TakeupFFmpeg
internal import TakeupLanes
internal import TakeupTimeline

/// Inspects a source: container, streams, first frames and, without an index, every packet.
struct AssetInspector {
    /// Number of first bytes that identify a source unknown to all demuxers.
    private static let headBytes = 4096

    let opened: OpenedSource
    let cancellation: Cancellation
    /// Whether to skip everything that takes longer for a longer source.
    var isGlance = false

    func inspect() throws(ExportError) -> InspectedSource {
        LogBridge.installDefault()
        let head = try readHead()
        if let end = ByteWindow(opened.source, cancellation).flatMap({ StillPicture($0).end() }) {
            let still = AssetInspector(
                opened: opened.prefix(end), cancellation: cancellation, isGlance: isGlance)
            var found = try still.inspect()
            found.stillEnd = end
            return found
        }
        let opening = Result { () throws(ExportError) in try openContainer(head) }
        guard !isGlance else { return InspectedSource(try inspect(opening.get())) }
        let parts = SourceParts(
            opened: opened, container: (try? opening.get())?.container, cancellation: cancellation)
        let found = try parts.look()
        let seams = found.seams
        var source =
            seams.isEmpty
            ? InspectedSource(try inspect(opening.get()))
            : try inspect(SourceParts.divide(opened, at: seams), seams)
        source.noteTail(found.tail)
        return source
    }

    /// Inspects the parts of a source one after another; unreadable parts are reported as lost.
    private func inspect(
        _ pieces: [OpenedSource], _ seams: [SourceSeam]
    ) throws(ExportError) -> InspectedSource {
        var parts: [InspectedSource.Part] = []
        var lost: [String] = []
        for (place, piece) in pieces.enumerated() {
            do throws(ExportError) {
                let inspector = AssetInspector(opened: piece, cancellation: cancellation)
                let head = try inspector.readHead()
                var asset = try inspector.inspect(inspector.openContainer(head))
                asset.description.name = opened.name
                guard asset.description.protectionReason == nil,
                    let reason = asset.description.notPlayableReason
                else {
                    parts.append(InspectedSource.Part(place: place, asset: asset))
                    continue
                }
                lost.append("\(piece.name) cannot be read: \(reason)")
            } catch {
                guard case .notMedia(_, let reason) = error else { throw error }
                lost.append("\(piece.name) cannot be read: \(reason)")
            }
        }
        guard !parts.isEmpty else {
            throw .unsupported(opened.name, reason: lost.joined(separator: "; "))
        }
        return InspectedSource(seams, parts, lost: lost)
    }

    private func inspect(
        _ demuxer: Demuxer
    ) throws(ExportError) -> InspectedAsset {
        try checkSizes(demuxer)
        try probing { () throws(FFmpegError) in try demuxer.findStreams(limits: opened.limits) }
        try checkSizes(demuxer)
        return try probing { () throws(FFmpegError) in try describe(demuxer) }
    }

    private func readHead() throws(ExportError) -> [UInt8] {
        var head = [UInt8](repeating: 0, count: Self.headBytes)
        var count = 0
        do throws(FFmpegError) {
            let source = opened.source
            count = try source.bytes(at: 0, into: &head)
        } catch {
            throw .inputUnreadable(opened.name, reason: "\(error.status)")
        }
        guard count > 0 else { throw .notMedia(opened.name, reason: "the file is empty") }
        return Array(head.prefix(count))
    }

    private func openContainer(_ head: [UInt8]) throws(ExportError) -> Demuxer {
        do throws(FFmpegError) {
            return try Demuxer(
                opened.source, name: opened.name, limits: opened.limits, cancellation: cancellation)
        } catch {
            if error.status == .interrupted { throw .cancelled }
            if error.operation == .read {
                throw .inputUnreadable(opened.name, reason: "\(error.status)")
            }
            // FFmpeg 7 cannot open all encrypted movies, not even some that it made.
            guard SampleEntries(of: opened.source, "mp4").encrypted.isEmpty else {
                throw .contentIsProtected(opened.name, reason: "its tracks are encrypted")
            }
            throw .notMedia(opened.name, reason: HeadReason.explain(head, error.status))
        }
    }

    private func checkSizes(_ demuxer: Demuxer) throws(ExportError) {
        for stream in demuxer.streams where stream.kind == .video && !stream.isAttachedPicture {
            guard Int64(stream.width) * Int64(stream.height) > opened.limits.pixels else {
                continue
            }
            throw .unsupported(
                opened.name,
                reason: "its pictures are \(stream.width)x\(stream.height), beyond the limit of "
                    + "\(opened.limits.pixels) pixels")
        }
    }

    private func probing<Value>(
        _ body: () throws(FFmpegError) -> Value
    ) throws(ExportError) -> Value {
        do throws(FFmpegError) {
            return try body()
        } catch {
            throw wrap(error, .probe)
        }
    }

    private func wrap(_ error: FFmpegError, _ stage: ExportStage) -> ExportError {
        switch error.status {
        case .interrupted: .cancelled
        case .invalidData, .endOfFile: .notMedia(opened.name, reason: "\(error.status)")
        default:
            error.operation == .read
                ? .inputUnreadable(opened.name, reason: "\(error.status)")
                : .media(MediaFailure(error), stage: stage)
        }
    }

    private func describe(
        _ demuxer: Demuxer
    ) throws(FFmpegError) -> InspectedAsset {
        var probe = FirstFrameProbe(demuxer)
        try probe.run(limits: opened.limits)
        var facts = InspectionFacts(
            name: opened.name, demuxer: demuxer, byteCount: opened.source.byteCount,
            declaredEnd: ByteWindow(opened.source, cancellation).flatMap(
                ContainerExtent.declaredEnd),
            fault: isGlance
                ? nil : ContainerWalk.fault(opened.source, demuxer.container, cancellation))
        if !isGlance, let window = ByteWindow(opened.source, cancellation) {
            facts.look(into: window)
        }
        facts.firstFrames = probe.frames
        facts.openings = probe.openings
        let entries = SampleEntries(of: opened.source, demuxer.container)
        let marks = ProtectionMarks(opened.source, demuxer, entries: entries)
        facts.variedEntries = entries.varied
        facts.encrypted = probe.encrypted.union(marks.tracks)
        facts.protection = marks.reason
        facts.decoderFailures = probe.failures
        if isGlance { return AssetBuilder(facts).build() }
        if facts.needsScan {
            let scanner = PacketScanner(try opened.demuxer(cancellation))
            let scan = try scanner.scan()
            facts.scan = scan
            facts.openings = scan.streams.mapValues(\.opening)
            // Raw H.264 and HEVC claim to have timestamps but have none.
            if !scan.streams.isEmpty,
                scan.streams.values.allSatisfy({ !$0.hasTimestamps })
            {
                facts.lacksTimestamps = true
            }
            facts.correctRates()
        }
        if facts.needsGaps { facts.gaps = try GapMeter(opened.demuxer(cancellation)) }
        ByteWindow(opened.source, cancellation).map { facts.forgetZeros(in: $0) }
        if facts.needsSample {
            facts.sample = try PacketSample(
                opened.demuxer(cancellation), isLocal: opened.source is FileSource)
        }
        facts.measureScan(try scanForInterlacing(facts))
        return AssetBuilder(facts).build()
    }

    /// Detects interlacing from the pictures if neither container nor bitstream states the scan
    /// type.
    private func scanForInterlacing(_ facts: InspectionFacts) throws(FFmpegError) -> [Int: ScanType]
    {
        var found: [Int: ScanType] = [:]
        for stream in facts.streams where facts.isScanDoubtful(stream) {
            let demuxer = try opened.demuxer(
                forStream: stream.index, keepingOthers: false, cancellation)
            let verdict = try InterlaceProbe(demuxer, stream).run()
            if verdict != .unknown { found[stream.index] = verdict }
        }
        return found
    }
}
