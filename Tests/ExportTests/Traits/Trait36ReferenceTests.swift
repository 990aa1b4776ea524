import Foundation
import TakeupExport
import TestSupport
import Testing

@Suite("Trait 36: inputs that name other files", .tags(.media))
struct Trait36ReferenceTests {
    static let scripts = [
        "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\npart.ts\n#EXT-X-ENDLIST\n",
        "ffconcat version 1.0\nfile part.ts\n",
        "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5004 RTP/AVP 96\n",
        "<?xml version=\"1.0\"?><MPD type=\"static\"><Period><BaseURL>part.ts</BaseURL></Period></MPD>",
    ]

    private func part() throws -> Clip {
        try Clip.make("part.ts", NumberedPictures.source(seconds: 0.5) + ["-c:v", "libx264"])
    }

    @Test("playlists and scripts are refused, whatever they are called", arguments: scripts)
    func refusesScripts(script: String) async throws {
        let trial = try ExportTrial()
        try trial.directory.write(try part().bytes(), to: "part.ts")
        let path = try trial.directory.write(Data(script.utf8), to: "film.mp4")
        let error = try await trial.refusal([path])
        guard case .notMedia = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("a path is never an address or a pattern")
    func refusesProtocols() async throws {
        let trial = try ExportTrial()
        let part = try trial.directory.write(try part().bytes(), to: "part001.ts")
        let paths = [
            "file:\(part)", "concat:\(part)", "subfile,,start,0,end,0,,:\(part)",
            trial.file("part%03d.ts"), "http://127.0.0.1:9/x.mp4", "pipe:0",
        ]
        for path in paths {
            guard case .inputMissing = try await trial.refusal([path]) else {
                Issue.record("\(path) was not taken as a name")
                continue
            }
        }
    }

    @Test("a movie whose media lies in another file does not open it")
    func refusesExternalMedia() async throws {
        let trial = try ExportTrial()
        let whole = try Clip.make(
            "whole.mov", NumberedPictures.source(seconds: 0.5) + ["-c:v", "libx264"])
        try trial.directory.write(try whole.bytes(), to: "media.mov")
        let hollow = try QuickTimeReference.hollow(try whole.bytes(), naming: "media.mov")
        let path = try trial.directory.write(hollow, to: "reference.mov")
        // FFmpeg follows it where it is told to: the reference is a real one.
        #expect(
            try NumberedPictures.numbers(in: path, before: ["-enable_drefs", "1"]) == Array(0..<15))
        let error = try await trial.refusal([path])
        switch error {
        case .unsupported, .notMedia, .sourceIncomplete: break
        default: Issue.record("\(String(describing: error))")
        }
    }
}
