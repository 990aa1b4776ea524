import Foundation

/// The FFmpeg program that makes the clips.
enum FFmpegVersion {
    private static let outcome = Result { () throws(ToolFailure) -> String in
        let outcome = try Subprocess.run("ffmpeg", ["-version"]).requireSuccess()
        return String(outcome.outputText.prefix { $0 != "\n" })
    }

    /// The first line of `ffmpeg -version`, asked once in a process.
    static func line() throws(ToolFailure) -> String {
        try outcome.get()
    }

    /// Its major version; 0 when the line tells none, as that of a build of its own.
    static func major() throws(ToolFailure) -> Int {
        let number = try line().drop { !$0.isNumber }
        return Int(number.prefix(while: \.isNumber)) ?? 0
    }
}
