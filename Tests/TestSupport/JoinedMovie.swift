public import Foundation

/// Joins the pictures of two MP4s of one frame rate into one track with two sample descriptions.
///
/// No tool at hand does that: editors and cameras do, when settings change within a recording.
public struct JoinedMovie {
    private typealias Samples = (sizes: [Int], offsets: [Int], delays: [Int], keys: [Int])

    private let (first, second): (Data, Data)

    /// - Parameters:
    ///   - first: An MP4 with one track, of pictures, whose index is an edit list and the usual tables.
    ///   - second: Another with the same timescale.
    public init(_ first: Data, _ second: Data) {
        (self.first, self.second) = (Data(first), Data(second))
    }

    /// The joined movie; empty when one of the two lacks a table.
    public var bytes: Data {
        guard let one = samples(first), let two = samples(second),
            let timing = table("stts", in: first), let edits = content(["moov", "trak", "edts"])
        else { return Data() }
        let step = number(timing, at: 12)
        let count = one.sizes.count + two.sizes.count
        let media = zip(one.offsets, one.sizes).map { first[$0..<$0 + $1] }.reduce(Data(), +)
        let more = zip(two.offsets, two.sizes).map { second[$0..<$0 + $1] }.reduce(Data(), +)
        let file = content(["ftyp"]).map { box("ftyp", $0) } ?? Data()
        let start = file.count + 8
        let entries = [first, second].compactMap { table("stsd", in: $0)?.dropFirst(8) }
        let tables = [
            box("stsd", numbers([0, 2]) + entries.reduce(Data(), +)),
            box("stts", numbers([0, 1, count, step])),
            box(
                "stss",
                numbers(
                    [0, one.keys.count + two.keys.count] + one.keys
                        + two.keys.map { $0 + one.sizes.count })),
            box("ctts", numbers([0, count] + (one.delays + two.delays).flatMap { [1, $0] })),
            box("stsc", numbers([0, 2, 1, one.sizes.count, 1, 2, two.sizes.count, 2])),
            box("stsz", numbers([0, 0, count] + one.sizes + two.sizes)),
            box("stco", numbers([0, 2, start, start + media.count])),
        ]
        let path = ["moov", "trak", "mdia", "minf"]
        let information = ["vmhd", "dinf"].compactMap { name in
            content(path + [name]).map { box(name, $0) }
        }
        let header = ["mdhd", "hdlr"].compactMap { name in
            content(["moov", "trak", "mdia", name]).map {
                box(name, name == "mdhd" ? longer($0, at: 16, count * step) : $0)
            }
        }
        let scale = content(["moov", "mvhd"]).map { number($0, at: 12) } ?? 1000
        let mediaScale = content(["moov", "trak", "mdia", "mdhd"]).map { number($0, at: 12) } ?? 1
        let length = count * step * scale / mediaScale
        let list = box("edts", longer(edits, at: 16, length))
        let parts = information.reduce(Data(), +) + box("stbl", tables.reduce(Data(), +))
        let track =
            box("tkhd", longer(content(["moov", "trak", "tkhd"]) ?? Data(), at: 20, length))
            + list + box("mdia", header.reduce(Data(), +) + box("minf", parts))
        let movie =
            box("mvhd", longer(content(["moov", "mvhd"]) ?? Data(), at: 16, length))
            + box("trak", track)
        return file + box("mdat", media + more) + box("moov", movie)
    }

    private func samples(_ file: Data) -> Samples? {
        guard let sizes = table("stsz", in: file), let chunks = table("stsc", in: file),
            let places = table("stco", in: file), let keys = table("stss", in: file)
        else { return nil }
        let lengths = (0..<number(sizes, at: 8)).map { number(sizes, at: 12 + 4 * $0) }
        let rows = (0..<number(chunks, at: 4)).map {
            (number(chunks, at: 8 + 12 * $0), number(chunks, at: 12 + 12 * $0))
        }
        var offsets: [Int] = []
        for chunk in 0..<number(places, at: 4) {
            var place = number(places, at: 8 + 4 * chunk)
            let size = rows.last { $0.0 <= chunk + 1 }?.1 ?? 0
            for _ in 0..<size where offsets.count < lengths.count {
                let length = lengths[offsets.count]
                offsets.append(place)
                place += length
            }
        }
        let delays = table("ctts", in: file).map { table in
            (0..<number(table, at: 4)).flatMap { row in
                Array(
                    repeating: number(table, at: 12 + 8 * row),
                    count: number(table, at: 8 + 8 * row))
            }
        }
        let numbers = (0..<number(keys, at: 4)).map { number(keys, at: 8 + 4 * $0) }
        return (lengths, offsets, delays ?? lengths.map { _ in 0 }, numbers)
    }

    private func table(_ name: String, in file: Data) -> Data? {
        content(["moov", "trak", "mdia", "minf", "stbl", name], in: file)
    }

    private func content(_ path: [String], in file: Data? = nil) -> Data? {
        var inside = file ?? first
        for name in path {
            var place = 0
            var found: Data?
            while place + 8 <= inside.count, found == nil {
                let size = number(inside, at: place)
                guard size >= 8, place + size <= inside.count else { return nil }
                if String(decoding: inside[place + 4..<place + 8], as: UTF8.self) == name {
                    found = Data(inside[place + 8..<place + size])
                }
                place += size
            }
            guard let found else { return nil }
            inside = found
        }
        return inside
    }

    private func longer(_ content: Data, at place: Int, _ value: Int) -> Data {
        var content = content
        content.replaceSubrange(place..<place + 4, with: numbers([value]))
        return content
    }

    private func number(_ bytes: Data, at place: Int) -> Int {
        bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
    }

    private func numbers(_ values: [Int]) -> Data {
        Data(values.flatMap { value in (0..<4).map { UInt8(value >> (24 - 8 * $0) & 0xFF) } })
    }

    private func box(_ name: String, _ content: Data) -> Data {
        numbers([content.count + 8]) + Data(name.utf8) + content
    }
}
