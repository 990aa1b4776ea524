import Foundation

/// One connection of a `TestOrigin`: reads requests and sends answers, on a thread of its own.
struct OriginConnection {
    let socket: OriginSocket
    let core: OriginCore
    let number: Int

    private static let headLimit = 256 << 10
    private static let pieceBytes = 256 << 10

    /// Serves until one side ends it.
    func run() {
        socket.prepareForAnswers()
        var buffer: [UInt8] = []
        do throws(OriginEnding) {
            while let request = try readRequest(&buffer), serve(request) {}
        } catch {
            // The client left between requests, or the origin stops: nothing is owed to anyone.
        }
    }

    private func readRequest(_ buffer: inout [UInt8]) throws(OriginEnding) -> OriginRequest? {
        let mark = Data("\r\n\r\n".utf8)
        while true {
            if let end = Data(buffer).range(of: mark) {
                let head = buffer[..<end.lowerBound]
                let request = OriginRequest(head: head)
                if request == nil { try refuse(head) }
                buffer.removeFirst(end.upperBound)
                return request
            }
            if buffer.count > Self.headLimit {
                try refuse(buffer[...])
                return nil
            }
            guard try socket.receive(into: &buffer) else {
                if !buffer.isEmpty { core.note("connection \(number) ended inside a request") }
                return nil
            }
        }
    }

    private func refuse(_ head: ArraySlice<UInt8>) throws(OriginEnding) {
        core.note("no request: \(String(decoding: head.prefix(200), as: UTF8.self))")
        try send(OriginAnswer.fixed(400, [OriginField("Connection", "close")]).head(.init()))
    }

    /// Answers one request; says whether the connection stays.
    private func serve(_ request: OriginRequest) -> Bool {
        let begun = core.begin(request, connection: number)
        var (answer, progress) = (begun.answer, begun.progress)
        let stays = request.keepsAlive && !answer.closes
        if !stays { answer.fields.append(OriginField("Connection", "close")) }
        var ending = OriginEnding.complete
        do throws(OriginEnding) {
            if let hangUp = answer.hangUp { throw cut(hangUp) }
            try sendHead(answer, begun.head)
            if request.method != "HEAD" {
                try sendBody(answer, &progress, rate: begun.bytesPerSecond)
            }
        } catch {
            ending = error
        }
        core.end(progress.number, ending)
        if ending == .complete, !stays { socket.end(.close) }
        return ending == .complete && stays
    }

    private func cut(_ ending: OriginCut.Ending) -> OriginEnding {
        socket.end(ending)
        return ending == .reset ? .reset : .cut
    }

    private func sendHead(
        _ answer: OriginAnswer, _ faults: OriginHeadFaults
    ) throws(OriginEnding) {
        if faults.delaySeconds > 0 { try socket.pause(seconds: faults.delaySeconds) }
        let head = answer.head(faults)
        guard let rate = faults.bytesPerSecond else { return try send(head) }
        var pacer = OriginPacer(bytesPerSecond: rate, now: core.seconds)
        for start in stride(from: 0, to: head.count, by: pacer.pieceBytes) {
            let piece = Array(head[start..<min(head.count, start + pacer.pieceBytes)])
            try pace(&pacer, piece.count)
            try send(piece)
        }
    }

    private func sendBody(
        _ answer: OriginAnswer, _ progress: inout OriginProgress, rate: Int?
    ) throws(OriginEnding) {
        var pacer = rate.map { OriginPacer(bytesPerSecond: $0, now: core.seconds) }
        for part in answer.parts {
            switch part {
            case .literal(let bytes):
                progress.isInContent = false
                try send(bytes, answer.framing, &progress)
            case .content(let range):
                progress.isInContent = true
                progress.start = range.lowerBound
                progress.position = range.lowerBound
                progress.end = range.upperBound
                progress.grows = progress.grows && part == answer.parts.last
                try sendContent(answer.framing, &progress, &pacer)
            }
        }
        if answer.framing == .chunked { try send(Array("0\r\n\r\n".utf8)) }
    }

    private func sendContent(
        _ framing: OriginAnswer.Framing, _ progress: inout OriginProgress,
        _ pacer: inout OriginPacer?
    ) throws(OriginEnding) {
        let limit = min(Self.pieceBytes, pacer?.pieceBytes ?? .max)
        while true {
            switch core.step(&progress, limit: limit) {
            case .done: return
            case .stop: throw .stopped
            case .cut(let ending): throw cut(ending)
            case .stall(let seconds, let releases):
                progress.stalledAt = progress.position
                try stall(seconds, progress.path, releases)
            case .send(let content, let range):
                let bytes = try read(content, range)
                if pacer != nil { try pace(&pacer, bytes.count) }
                try send(bytes, framing, &progress)
                progress.position += Int64(bytes.count)
                if bytes.count < range.count { throw cut(.close) }
            }
        }
    }

    private func read(
        _ content: OriginContent, _ range: Range<Int64>
    ) throws(OriginEnding) -> [UInt8] {
        do throws(ToolFailure) {
            return try content.read(range)
        } catch {
            core.note("\(error)")
            throw .failed
        }
    }

    private func stall(
        _ seconds: Double, _ path: String, _ releases: Int
    ) throws(OriginEnding) {
        let end = core.seconds + seconds
        while core.seconds < end, core.releases(path) == releases {
            try socket.pause(seconds: min(0.02, end - core.seconds))
        }
    }

    private func pace(_ pacer: inout OriginPacer?, _ count: Int) throws(OriginEnding) {
        while let wait = pacer?.take(count, now: core.seconds), wait > 0 {
            try socket.pause(seconds: wait)
        }
    }

    private func pace(_ pacer: inout OriginPacer, _ count: Int) throws(OriginEnding) {
        var optional: OriginPacer? = pacer
        try pace(&optional, count)
        pacer = optional ?? pacer
    }

    /// Sends bytes of a body and counts those that went.
    private func send(
        _ bytes: [UInt8], _ framing: OriginAnswer.Framing, _ progress: inout OriginProgress
    ) throws(OriginEnding) {
        let isChunk = framing == .chunked || framing == .endless
        if bytes.isEmpty { return }
        if isChunk { try send(Array("\(String(bytes.count, radix: 16))\r\n".utf8)) }
        // Counted first, so that a client that has bytes always finds them counted.
        core.sent(bytes.count, &progress)
        var sent = 0
        defer { if sent < bytes.count { core.sent(sent - bytes.count, &progress) } }
        try socket.send(bytes, sent: &sent)
        if isChunk { try send(Array("\r\n".utf8)) }
    }

    private func send(_ bytes: [UInt8]) throws(OriginEnding) {
        var sent = 0
        try socket.send(bytes, sent: &sent)
    }
}
