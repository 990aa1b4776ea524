import TakeupFFmpeg
import TestSupport

/// Short ways through the layer that several suites take.
enum Coding {
    /// Opens a file and its streams.
    static func open(_ path: String) throws -> Demuxer {
        let demuxer = try Demuxer(FileSource(path: path), name: path)
        try demuxer.findStreams()
        return demuxer
    }

    /// Decodes one stream of a clip to its end.
    static func eachFrame(
        of clip: Clip, stream: Int, _ body: (borrowing Frame, TimeBase) throws -> Void
    ) throws {
        let demuxer = try open(clip.path)
        demuxer.select([stream])
        let base = demuxer.streams[stream].timeBase
        let decoder = try Decoder(demuxer.parameters(of: stream), timeBase: base)
        let packet = try Packet()
        let frame = try Frame()
        while try demuxer.read(into: packet) {
            while try !decoder.send(packet) {
                while try decoder.receive(into: frame) { try body(frame, base) }
            }
            while try decoder.receive(into: frame) { try body(frame, base) }
        }
        try decoder.finish()
        while try decoder.receive(into: frame) { try body(frame, base) }
    }
}
