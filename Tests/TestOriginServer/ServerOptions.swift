import Foundation
import TestSupport

/// What the command line of `TestOriginServer` says.
struct ServerOptions {
    static let usage = """
        usage: TestOriginServer [--root DIR] [--synthetic PATH=BYTES]… [--port N] [--rate BYTES]
                                [--ignore-range] [--log FILE] [--changing PATH=BYTES]
        Serves the files of DIR, and synthetic objects, on 127.0.0.1 until SIGTERM.
          --port N        0, the default, is any free port; the address is printed
          --rate BYTES    of each body, per second
          --ignore-range  answers every range with the whole object
          --changing PATH=BYTES  an object that is another one five times a second: eight bytes of
                          its number, again and again behind the first 24
          --log FILE      one JSON object a line for each request when its answer is over
        """

    private(set) var root: String?
    private(set) var synthetic: [String: Int64] = [:]
    private(set) var changing: [String: Int64] = [:]
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
        case "--synthetic", "--changing":
            let halves = value.split(separator: "=")
            guard halves.count == 2, let count = Int64(halves[1]), count >= 24 else { return false }
            if name == "--synthetic" {
                synthetic[String(halves[0])] = count
            } else {
                changing[String(halves[0])] = count
            }
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

    /// One of the objects that change, under the number of its version.
    func version(_ number: UInt64, of path: String) -> OriginObject? {
        guard let count = changing[path] else { return nil }
        var bytes: [UInt8] = [0, 0, 0, 24] + Array("ftypisom".utf8) + [0, 0, 2, 0]
        bytes += Array("isomiso2".utf8)
        bytes.reserveCapacity(Int(count) + 8)
        let word = withUnsafeBytes(of: number.littleEndian) { Array($0) }
        while bytes.count < count { bytes += word }
        return OriginObject(
            .bytes(Array(bytes.prefix(Int(count)))), tag: .strong("v\(number)"),
            lastModified: 1_700_000_000 + Int(number) * 60, faults: faults)
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
