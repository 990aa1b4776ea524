import Foundation
import TestSupport
import Testing

@testable import TakeupExport
@testable import TakeupFFmpeg

@Suite("ContainerWalk", .tags(.media))
struct ContainerWalkTests {
    private static let containers = [
        ("mkv", "matroska,webm"), ("flv", "flv"), ("gif", "gif"), ("ogg", "ogg"), ("ts", "mpegts"),
    ]

    private static func clip(_ ending: String) throws -> TestSupport.Clip {
        let codec: [String] =
            switch ending {
            case "gif": ["-c:v", "gif"]
            case "ogg": ["-c:v", "libtheora"]
            default: ["-c:v", "libx264", "-preset", "ultrafast", "-g", "10"]
            }
        return try TestSupport.Clip.make(
            "walk.\(ending)", Clip.picture(size: "160x120", seconds: 1) + codec)
    }

    private static func fault(_ bytes: Data, _ container: String) throws -> ContainerWalk.Fault? {
        let folder = try TemporaryDirectory()
        let path = folder.path + "/walked"
        try bytes.write(to: URL(fileURLWithPath: path))
        return ContainerWalk.fault(try FileSource(path: path), container)
    }

    @Test("a whole file has no fault, nor has one with junk behind it", arguments: containers)
    func whole(ending: String, container: String) throws {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: Self.clip(ending).path))
        #expect(try Self.fault(bytes, container) == nil)
        #expect(try Self.fault(bytes + Data(repeating: 7, count: 900), container) == nil)
    }

    @Test("a file that ends within an element is cut", arguments: containers)
    func cut(ending: String, container: String) throws {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: Self.clip(ending).path))
        #expect(try Self.fault(bytes.prefix(bytes.count / 2 + 3), container) == .cut)
    }

    @Test("a hole in the middle breaks the chain", arguments: containers.prefix(3))
    func hole(ending: String, container: String) throws {
        var bytes = try Data(contentsOf: URL(fileURLWithPath: Self.clip(ending).path))
        let middle = bytes.count / 2
        let length = min(8000, bytes.count / 4)
        bytes.replaceSubrange(middle..<middle + length, with: Data(count: length))
        #expect(try Self.fault(bytes, container) != nil)
    }

    @Test("an MP4 whose index is cut is cut, one whose media is cut is for its index to tell")
    func movie() throws {
        let clip = try TestSupport.Clip.make(
            "walk.mp4",
            Clip.picture(size: "160x120", seconds: 1) + ["-c:v", "libx264", "-preset", "ultrafast"])
        let bytes = try Data(contentsOf: URL(fileURLWithPath: clip.path))
        #expect(try Self.fault(bytes, "mov,mp4,m4a,3gp,3g2,mj2") == nil)
        #expect(try Self.fault(bytes.dropLast(20), "mov,mp4,m4a,3gp,3g2,mj2") == .cut)
    }
}
