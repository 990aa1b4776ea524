import Foundation

/// What independent tools say about a file: `ffprobe`, `ffmpeg` and `mediainfo`.
public enum MediaTools {
    /// The streams, the container and the chapters of a file, as `ffprobe` sees them.
    ///
    /// - Throws: `ToolFailure` when `ffprobe` refuses the file.
    public static func probe(_ path: String) throws(ToolFailure) -> ProbedFile {
        try ffprobe(
            ["-show_streams", "-show_format", "-show_chapters", path], as: ProbedFile.self)
    }

    /// The packets of the streams that a selector such as `v:0` picks; nil picks all.
    ///
    /// - Throws: `ToolFailure` when `ffprobe` refuses the file.
    public static func packets(
        _ path: String, stream: String? = nil
    ) throws(ToolFailure) -> [ProbedPacket] {
        let list = try ffprobe(
            ["-show_packets"] + selector(stream) + [path], as: ProbedPacket.List.self)
        return list.packets
    }

    /// How many frames decoding one stream gives.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - stream: A selector of `ffprobe`, such as `v:0`.
    /// - Returns: Decoded frames, not what the container declares.
    /// - Throws: `ToolFailure` when there is no such stream or it gives no count.
    public static func frameCount(
        _ path: String, stream: String = "v:0"
    ) throws(ToolFailure) -> Int {
        let arguments = ["-count_frames", "-show_streams"] + selector(stream) + [path]
        let streams = try ffprobe(arguments, as: ProbedStream.List.self).streams
        guard let count = streams.first?.countedFrames else {
            throw ToolFailure("ffprobe counts no frames in stream \(stream) of \(path)")
        }
        return count
    }

    /// What FFmpeg complains of while it decodes every frame of every stream.
    ///
    /// Counts lost picture parts too, which FFmpeg conceals without calling that an error.
    ///
    /// - Returns: One element a line; empty for a file without fault.
    /// - Throws: `ToolFailure` when `ffmpeg` cannot be started or does not come to an end.
    public static func decodeErrors(_ path: String) throws(ToolFailure) -> [String] {
        let input = ["-nostdin", "-hide_banner", "-nostats", "-v", "level+info", "-i", path]
        let streams = ["-map", "0:v?", "-map", "0:a?", "-map", "0:s?"]
        let outcome = try Subprocess.run(
            "ffmpeg", input + streams + ["-c:s", "srt", "-f", "null", "-"], timeoutSeconds: 300)
        if outcome.timedOut { _ = try outcome.requireSuccess() }
        let faults = ["[error]", "[fatal]", "[panic]", "concealing"]
        var lines = outcome.errorText.split(separator: "\n").map(String.init)
            .filter { line in faults.contains { line.contains($0) } }
            // What takes the decoded pictures, and counts their times more coarsely, is no decoder.
            .filter { !$0.hasPrefix("[null @") }
        // A failure that prints nothing is still one.
        if !outcome.succeeded, lines.isEmpty {
            lines = ["ffmpeg ended with \(outcome.exitCode ?? -1)"]
        }
        return lines
    }

    /// The hash of every decoded frame, in the order of FFmpeg's `framemd5`.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - before: Arguments before the input, such as `-noautorotate`.
    ///   - after: Arguments after it, such as `-map 0:v -vf scale=64:36`.
    /// - Returns: One element a frame of every picked stream.
    /// - Throws: `ToolFailure` when FFmpeg cannot decode the file.
    public static func frameHashes(
        _ path: String, before: [String] = [], after: [String] = []
    ) throws(ToolFailure) -> [FrameHash] {
        let input = ["-nostdin", "-v", "error"] + before + ["-i", path]
        let outcome = try Subprocess.run(
            "ffmpeg", input + after + ["-f", "framemd5", "-"], timeoutSeconds: 300)
        let lines = try outcome.requireSuccess().outputText.split(separator: "\n")
        var hashes: [FrameHash] = []
        for line in lines where !line.hasPrefix("#") {
            guard let hash = FrameHash(line: line) else {
                throw ToolFailure("framemd5 of \(path): \(line)")
            }
            hashes.append(hash)
        }
        return hashes
    }

    /// The tracks that MediaInfo reports, the container's own facts first.
    ///
    /// - Throws: `ToolFailure` when MediaInfo cannot be run or finds no media.
    public static func mediaInfo(_ path: String) throws(ToolFailure) -> [MediaInfoTrack] {
        // In the C locale it writes `?` for whatever is not ASCII.
        let outcome = try Subprocess.run(
            "mediainfo", ["--Output=JSON", path], environment: ["LC_ALL": "C.UTF-8"]
        ).requireSuccess()
        return try decode(outcome.standardOutput, from: "mediainfo", as: MediaInfoReport.self)
            .media.track
    }

    private static func selector(_ stream: String?) -> [String] {
        stream.map { ["-select_streams", $0] } ?? []
    }

    private static func ffprobe<Value: Decodable>(
        _ arguments: [String], as type: Value.Type
    ) throws(ToolFailure) -> Value {
        let question = Question(arguments)
        if let question, let answer = answers.with({ $0[question] }) {
            return try decode(Data(answer), from: "ffprobe", as: type)
        }
        let outcome = try Subprocess.run(
            "ffprobe", ["-v", "error", "-of", "json"] + arguments, timeoutSeconds: 300)
        let answer = try outcome.requireSuccess().standardOutput
        if let question { answers.with { $0[question] = [UInt8](answer) } }
        return try decode(answer, from: "ffprobe", as: type)
    }

    /// What `ffprobe` said: half the tests' questions were asked before, and most of its time goes to its start.
    ///
    /// Bytes and numbers only: Address Sanitizer does not see what the pointers of `Data` and `String` lead to, and
    /// would call it a leak.
    private static let answers = Guarded<[Question: [UInt8]]>([:])

    /// What `ffprobe` was asked about one state of a file, its last argument: each write gives another.
    private struct Question: Hashable {
        let words: [UInt8]
        let file: [Int]

        init?(_ arguments: [String]) {
            var status = stat()
            guard let path = arguments.last, stat(path, &status) == 0 else { return nil }
            words = Array(arguments.joined(separator: "\u{0}").utf8)
            file = [
                Int(status.st_dev), Int(status.st_ino), Int(status.st_size),
                status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec,
                status.st_ctim.tv_nsec,
            ]
        }
    }

    private static func decode<Value: Decodable>(
        _ json: Data, from tool: String, as type: Value.Type
    ) throws(ToolFailure) -> Value {
        do {
            return try JSONDecoder().decode(type, from: json)
        } catch {
            throw ToolFailure("\(tool) wrote what is not expected: \(error)")
        }
    }
}
