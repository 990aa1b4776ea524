import Foundation
import TakeupFFmpeg
import TakeupLanes
import TestSupport
import Testing

@testable import TakeupExport

extension MemorySource {
    fileprivate var opened: OpenedSource {
        OpenedSource(source: self, name: "memory", limits: .standard)
    }

    fileprivate func seams(_ container: String = "au") throws(ExportError) -> [SourceSeam] {
        try SourceParts(opened: opened, container: container, cancellation: Cancellation()).seams()
    }
}

@Suite("Source parts")
struct SourcePartsTests {
    @Test("a read that fails is not taken for the end of the parts")
    func tellsFailedRead() throws {
        let part = Array(try Clip.make("part.au", Clip.tone(seconds: 1)).bytes())
        var source = MemorySource(part + part)
        #expect(try source.seams().map(\.place) == [Int64(part.count)])
        source.failsFrom = part.count
        let window = try #require(ByteWindow(source))
        #expect(window[0] != nil && window.failure == nil)
        #expect(window[Int64(part.count)] == nil && window[0] != nil)
        #expect(window.failure?.status == .inputOutput)
        let failure = ExportError.inputUnreadable(
            "memory", reason: "\(FFmpegStatus.inputOutput)")
        #expect(throws: failure) { try source.seams() }
        #expect(throws: failure) {
            try WholeDecode(opened: source.opened, cancellation: Cancellation()).runParts()
        }
    }

    @Test("a tail that is too long to be searched is told, a shorter one is not")
    func tellsTail() throws {
        let part: [UInt8] =
            Array(".snd".utf8) + [0, 0, 0, 24, 0, 0, 0, 1] + Array(repeating: 0, count: 13)
        let reach = ContainerSeams.reach
        for (count, tail) in [(1000, 0), (Int(reach) + 1, reach + 1)] {
            let source = MemorySource(part + [UInt8](repeating: 0, count: count))
            let found = try SourceParts(
                opened: source.opened, container: "au", cancellation: Cancellation()
            ).look()
            #expect(found.seams.isEmpty && found.tail == tail)
        }
    }

    @Test("the lengths of Monkey's Audio and DSF tell where the next file begins")
    func findsStatedLengths() throws {
        let lengths: [UInt8] = [52, 24, 4, 0, 30, 0, 5].flatMap { [$0, 0, 0, 0] }
        let monkey =
            Array("MAC ".utf8) + [0x8C, 0x0F, 0, 0] + lengths + Array(repeating: 7, count: 79)
        #expect(try MemorySource(monkey + monkey).seams("ape").map(\.place) == [115])
        let stream =
            Array("DSD ".utf8) + [28, 0, 0, 0, 0, 0, 0, 0, 100, 0, 0, 0, 0, 0, 0, 0]
            + Array(repeating: 7, count: 80)
        #expect(try MemorySource(stream + stream).seams("dsf").map(\.place) == [100])
        // A length beyond the end is not followed.
        #expect(try MemorySource(stream + stream.prefix(50)).seams("dsf").map(\.place) == [100])
        #expect(try MemorySource(Array(stream.prefix(50)) + stream).seams("dsf") == [])
    }

    @Test("1,000 parts are found, and more are refused")
    func refusesMore() throws {
        let part: [UInt8] =
            Array(".snd".utf8) + [0, 0, 0, 24, 0, 0, 0, 1] + Array(repeating: 0, count: 13)
        #expect(
            try MemorySource(Array(repeatElement(part, count: 1000).joined())).seams().count == 999)
        let error = #expect(throws: ExportError.self) {
            try MemorySource(Array(repeatElement(part, count: 1001).joined())).seams()
        }
        #expect("\(String(describing: error))".contains("more than 1000 parts"))
    }

    @Test("a programme that changes more than 999 times is refused", .tags(.media))
    func refusesMoreMaps() async throws {
        let parts = try [[], Trait40PartsTests.other].map {
            let picture = Clip.picture(size: "32x32", seconds: 0.1)
            return try Clip.make("short.ts", picture + ["-c:v", "libx264"] + $0)
        }
        let source = try Clip.concatenated(
            "many.ts", Array(repeating: parts, count: 501).flatMap(\.self))
        let error = try #require(try await ExportTrial().refusal([source.path]))
        #expect("\(error)".contains("more than 1000 parts"))
        await #expect(throws: error) { try await Verification.decodeWhole(source.path) }
        let bytes = try FileSource(path: source.path)
        let seams = try TransportSeams(source: bytes, cancellation: Cancellation()).find()
        #expect(seams.count == SourceParts.most)
    }

    @Test("a table that has no end is not kept")
    func dropsEndlessTable() {
        var follower = ProgrammeFollower()
        var packet = [UInt8](repeating: 0xFF, count: TransportPacket.length)
        packet.replaceSubrange(0..<4, with: [0x47, 0x40, 0, 0x10])
        for place in 0..<100 {
            packet.withUnsafeBufferPointer {
                follower.take(TransportPacket($0), $0, at: Int64(place * $0.count))
            }
            packet[1] = 0
            #expect(follower.tables.isEmpty == (place >= 32))
        }
    }

    @Test("bytes that are read once more for a part count once more", .tags(.media))
    func countsReading() async throws {
        let path = try Trait40PartsTests.source(Trait40PartsTests.maps[0]).path
        let file = try FileSource(path: path)
        let asset = Asset(source: file, name: path)
        _ = try await asset.inspect()
        #expect(asset.bytesRead > (file.byteCount ?? .max))
    }

    @Test("a search that is cancelled says so")
    func cancelled() throws {
        let part: [UInt8] =
            Array(".snd".utf8) + [0, 0, 0, 24, 0, 0, 0, 1] + Array(repeating: 0, count: 13)
        let cancellation = Cancellation()
        cancellation.cancel()
        let parts = SourceParts(
            opened: MemorySource(part + part).opened, container: "au", cancellation: cancellation)
        #expect(throws: ExportError.cancelled) { try parts.seams() }
    }

    @Test("a table of TTA that cannot be read, or exceeds all numbers, states no end")
    func table() throws {
        let head = Array("TTA1".utf8) + [1, 0, 1, 0, 16, 0, 0x80, 0xBB, 0, 0]
        let count: [UInt8] = [0, 0, 1, 0, 0, 0, 0, 0]
        var source = MemorySource(head + count + Array(repeating: 0, count: 80))
        #expect(FileLength(try #require(ByteWindow(source)), from: 0).end("tta") == 34)
        source.failsFrom = 24
        #expect(FileLength(try #require(ByteWindow(source)), from: 0).end("tta") == nil)
    }

    @Test("lengths are read from marked headers only, behind tags too")
    func marks() throws {
        let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 20] + Array(repeating: 0, count: 20)
        let stream =
            Array("DSD ".utf8) + [28, 0, 0, 0, 0, 0, 0, 0, 100, 0, 0, 0, 0, 0, 0, 0]
            + Array(repeating: 7, count: 80)
        let window = try #require(ByteWindow(MemorySource(tag + stream)))
        #expect(FileLength(window, from: 0).end("dsf") == 130)
        let other = try #require(ByteWindow(MemorySource([7] + stream.dropFirst())))
        #expect(FileLength(other, from: 0).end("dsf") == nil)
        #expect(FileLength(other, from: 0).end("tta") == nil)
    }

    @Test("many files of which each has junk behind it are found in little time")
    func findsQuickly() throws {
        let picture: [UInt8] =
            Array("GIF89a".utf8) + [
                1, 0, 1, 0, 0, 0, 0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 1, 0, 0,
            ]
            + [0x3B] + Array(repeating: 1, count: 2000)
        let growth = try WorkGrowth(from: 50, to: 400) { (count: Int) throws in
            let source = MemorySource(Array(repeatElement(picture, count: count).joined()))
            #expect(try source.seams("gif").count == count - 1)
        }
        #expect(growth.factor < 24)
    }
}
