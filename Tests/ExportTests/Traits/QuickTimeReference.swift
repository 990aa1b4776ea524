import Foundation
import TestSupport
import Testing

/// Makes of a movie one that holds the index alone, and names another file for the media.
enum QuickTimeReference {
    /// - Parameters:
    ///   - movie: One track, its index behind the media.
    ///   - name: A file in the same folder that has the media at the same places.
    /// - Returns: The movie with zeros for media.
    /// - Throws: When the movie has no such boxes.
    static func hollow(_ movie: Data, naming name: String) throws -> Data {
        var bytes = movie
        let media = try #require(bytes.range(of: Data("mdat".utf8)))
        let index = try #require(bytes.range(of: Data("moov".utf8)))
        try #require(index.lowerBound > media.lowerBound)
        let contents = media.upperBound..<index.lowerBound - 4
        bytes.replaceSubrange(contents, with: Data(count: contents.count))
        let last = try #require(
            bytes.range(of: Data("dref".utf8), in: index.upperBound..<bytes.count))
        // Behind the type: version and flags, the number of entries, the one entry.
        let entry = last.upperBound + 8..<last.upperBound + 20
        let alias = alias(name)
        for box in ["moov", "trak", "mdia", "minf", "dinf", "dref"] {
            let range = index.lowerBound..<last.upperBound
            let place =
                try #require(
                    bytes.range(of: Data(box.utf8), options: .backwards, in: range)
                ).lowerBound - 4
            let size = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
            bytes.replaceSubrange(
                place..<place + 4, with: number(size + alias.count - entry.count, 4))
        }
        bytes.replaceSubrange(entry, with: alias)
        return bytes
    }

    /// An entry of the box `dref`: an alias of the classic Mac OS, as FFmpeg's `mov.c` reads it.
    private static func alias(_ name: String) -> Data {
        var body = Data("alis".utf8) + Data(count: 4)
        // The record's head, the volume's and the file's names and dates, all empty.
        body += Data(count: 10 + 28 + 12 + 64 + 16)
        body += number(1, 2) + number(1, 2) + Data(count: 16)
        let path = Data(name.utf8) + Data(count: name.utf8.count % 2)
        body += number(2, 2) + number(path.count, 2) + path
        body += number(0xffff, 2) + number(0, 2)
        return number(body.count + 4, 4) + body
    }

    private static func number(_ value: Int, _ count: Int) -> Data {
        Data((0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
    }
}
