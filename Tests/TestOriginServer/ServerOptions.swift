import Foundation
import TestSupport

/// What the command line of `TestOriginServer` says.
struct ServerOptions {
    static let usage = """
        usage: TestOriginServer [--root DIR] [--synthetic PATH=BYTES]… [--port N] [--rate BYTES]
                                [--ignore-range] [--log FILE]
        Serves the files of DIR, and synthetic objects, on 127.0.0.1 until SIGTERM.
          --port N        0, the default, is any free port; the address is printed
          --rate BYTES    of each body, per second
          --ignore-range  answers every range with the whole object
          --log FILE      one JSON object a line for each request when its answer is over
        """

    private(set) var root: String?
    private(set) var synthetic: [String: Int64] = [:]
    private(set) var port: UInt16 = 0
    private(set) var faults = OriginFaults()
    private(set) var log: String?

    /// Reads the arguments behind the program's name; nil when they are not as the usage says.
    init?(_ arguments: [String]) {
        var rest = arguments[...]
        while let name = rest.popFirst() {
            if name == "--ignore-range" {
                faults.ranges = .ignored
                faults.acceptRanges = nil
                continue
            }
            guard let value = rest.popFirst(), take(name, value) else { return nil }
        }
    }

    private mutating func take(_ name: String, _ value: String) -> Bool {
        switch name {
        case "--root": root = value
        case "--log": log = value
        case "--synthetic":
            let halves = value.split(separator: "=")
            guard halves.count == 2, let count = Int64(halves[1]), count >= 0 else { return false }
            synthetic[String(halves[0])] = count
        case "--port":
            guard let number = UInt16(value) else { return false }
            port = number
        case "--rate":
            guard let rate = Int(value), rate > 0 else { return false }
            faults.bytesPerSecond = rate
        default: return false
        }
        return true
    }

    /// The object of a path: a synthetic one, or a file below the root; nil when there is none.
    @Sendable func object(_ path: String) -> OriginObject? {
        if let length = synthetic[path] {
            return OriginObject(.synthetic(length: length), faults: faults)
        }
        guard let root, let name = path.removingPercentEncoding,
            !name.split(separator: "/").contains("..")
        else { return nil }
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: root + name, isDirectory: &isDirectory),
            !isDirectory.boolValue
        else { return nil }
        return OriginObject(
            .file(root + name), type: Self.type(of: name), tag: .ofFile, lastModified: nil,
            faults: faults)
    }

    private static func type(of name: String) -> String {
        [
            "mp4": "video/mp4", "m4v": "video/mp4", "m4s": "video/mp4", "mov": "video/quicktime",
            "m4a": "audio/mp4", "mkv": "video/x-matroska", "webm": "video/webm",
            "ts": "video/mp2t", "mp3": "audio/mpeg", "wav": "audio/wav",
            "m3u8": "application/vnd.apple.mpegurl", "html": "text/html",
        ][URL(fileURLWithPath: name).pathExtension.lowercased()] ?? "application/octet-stream"
    }
}
