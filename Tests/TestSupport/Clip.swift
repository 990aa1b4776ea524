public import Foundation

/// A media file that a test makes with FFmpeg's own sources.
///
/// Clips are kept under the system's directory for temporary files, by what they are made from,
/// so tests in parallel and the next run share them. They must not be changed; `edited` copies.
public struct Clip: Sendable {
    /// The clip's absolute path, the same for the same recipe on the same machine.
    public let path: String

    /// Makes a clip, or finds the one that the same arguments made before.
    ///
    /// - Parameters:
    ///   - name: The file's name, whose extension chooses the container.
    ///   - arguments: Everything between `ffmpeg` and the output's path.
    /// - Returns: The clip, whose path ends in `name`.
    /// - Throws: `ToolFailure` with FFmpeg's words when it cannot make it.
    public static func make(_ name: String, _ arguments: [String]) throws(ToolFailure) -> Clip {
        let recipe = ["ffmpeg", try FFmpegVersion.line(), name] + arguments
        return try ClipStore.standard().clip(name, recipe: recipe) { path throws(ToolFailure) in
            let quiet = ["-hide_banner", "-loglevel", "error", "-nostdin", "-y"]
            // Two threads: fixtures must not depend on how many the machine has.
            let outcome = try Subprocess.run(
                "ffmpeg", quiet + arguments + ["-threads", "2", path], timeoutSeconds: 300)
            _ = try outcome.requireSuccess()
        }
    }

    /// A picture and a tone in step: 640×360, 30 frames a second, H.264 with B-frames, and AAC.
    ///
    /// - Parameter seconds: Its length.
    /// - Returns: `base.mp4` with one stream of each type.
    /// - Throws: `ToolFailure` when FFmpeg cannot make it.
    public static func base(seconds: Int = 2) throws(ToolFailure) -> Clip {
        try make(
            "base.mp4",
            picture(seconds: Double(seconds)) + tone(seconds: Double(seconds)) + [
                "-c:v", "libx264", "-preset", "veryfast", "-g", "60", "-bf", "3",
                "-pix_fmt", "yuv420p", "-c:a", "aac",
            ])
    }

    /// A copy whose display matrix turns the pictures by 90 degrees.
    ///
    /// - Throws: `ToolFailure` when FFmpeg cannot make it.
    public static func turned(_ name: String, of clip: Clip) throws(ToolFailure) -> Clip {
        // FFmpeg 6 and later have an option for the matrix, 5.1 has a tag.
        if try FFmpegVersion.major() >= 6 {
            return try make(name, ["-display_rotation", "90", "-i", clip.path, "-c", "copy"])
        }
        return try make(
            name, ["-i", clip.path, "-c", "copy", "-metadata:s:v:0", "rotate=90"])
    }

    /// Input arguments for FFmpeg's moving test picture.
    public static func picture(
        size: String = "640x360", rate: String = "30", seconds: Double
    ) -> [String] {
        ["-f", "lavfi", "-i", "testsrc2=size=\(size):rate=\(rate):duration=\(seconds)"]
    }

    /// Input arguments for a sine tone, in hertz and samples a second.
    public static func tone(
        frequency: Int = 440, sampleRate: Int = 48000, seconds: Double
    ) -> [String] {
        let options = "frequency=\(frequency):sample_rate=\(sampleRate):duration=\(seconds)"
        return ["-f", "lavfi", "-i", "sine=\(options)"]
    }

    /// One clip's bytes after another's, as when streams are cut and glued without care.
    ///
    /// - Throws: `ToolFailure` when a clip cannot be read or the result not written.
    public static func concatenated(_ name: String, _ clips: [Clip]) throws(ToolFailure) -> Clip {
        let recipe = ["concatenated", name] + clips.map(\.path)
        return try ClipStore.standard().clip(name, recipe: recipe) { path throws(ToolFailure) in
            var bytes = Data()
            for clip in clips { bytes.append(try clip.bytes()) }
            try Clip.write(bytes, to: path)
        }
    }

    /// A copy of the clip with its bytes changed.
    ///
    /// - Parameters:
    ///   - name: The copy's file name.
    ///   - recipe: What `change` does, in words that differ whenever its effect does.
    ///   - change: Damages or rewrites the bytes.
    /// - Returns: The copy; the clip itself stays as it is.
    /// - Throws: `ToolFailure` when the clip cannot be read or the copy not written.
    public func edited(
        _ name: String, recipe: String, _ change: (inout Data) -> Void
    ) throws(ToolFailure) -> Clip {
        let recipe = ["edited", name, path, recipe]
        return try ClipStore.standard().clip(name, recipe: recipe) { path throws(ToolFailure) in
            var bytes = try bytes()
            change(&bytes)
            try Clip.write(bytes, to: path)
        }
    }

    /// A copy that ends after so many bytes, as an upload that broke off.
    ///
    /// - Throws: `ToolFailure` when the clip cannot be read or the copy not written.
    public func truncated(toBytes count: Int, as name: String) throws(ToolFailure) -> Clip {
        try edited(name, recipe: "first \(count) bytes") { $0 = $0.prefix(count) }
    }

    /// The clip's contents.
    ///
    /// - Throws: `ToolFailure` when it cannot be read.
    public func bytes() throws(ToolFailure) -> Data {
        do {
            return try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw ToolFailure("cannot read \(path): \(error)")
        }
    }

    private static func write(_ bytes: Data, to path: String) throws(ToolFailure) {
        do {
            try bytes.write(to: URL(fileURLWithPath: path))
        } catch {
            throw ToolFailure("cannot write \(path): \(error)")
        }
    }
}
