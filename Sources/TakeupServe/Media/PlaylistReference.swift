/// What an address in an HLS playlist leads to.
package enum PlaylistReference: Sendable, Equatable {
    /// Another playlist, whose addresses are to be rewritten, too.
    case playlist
    /// Media: a segment, a part of one, or an initialization section.
    case segment
    case key
    /// Another document.
    case data
}

/// A tag of a playlist whose attributes name addresses.
struct PlaylistTag: Sendable {
    let name: [UInt8]
    let attributes: [(name: [UInt8], kind: PlaylistReference)]

    private init(_ name: String, _ attributes: [(String, PlaylistReference)]) {
        self.name = Array(name.utf8)
        self.attributes = attributes.map { (Array($0.0.utf8), $0.1) }
    }

    /// The tags by name, without `#EXT-X-`.
    ///
    /// - Note: Source: draft-pantos-hls-rfc8216bis, 4.4 and appendix D; `IMAGE-STREAM-INF` is Roku's.
    static let all = [
        PlaylistTag("PART", [("URI", .segment)]),
        PlaylistTag("KEY", [("URI", .key)]),
        PlaylistTag("MAP", [("URI", .segment)]),
        PlaylistTag("PRELOAD-HINT", [("URI", .segment)]),
        PlaylistTag("RENDITION-REPORT", [("URI", .playlist)]),
        PlaylistTag("DATERANGE", [("X-ASSET-URI", .playlist), ("X-ASSET-LIST", .data)]),
        PlaylistTag("MEDIA", [("URI", .playlist)]),
        PlaylistTag("I-FRAME-STREAM-INF", [("URI", .playlist)]),
        PlaylistTag("IMAGE-STREAM-INF", [("URI", .playlist)]),
        PlaylistTag("SESSION-KEY", [("URI", .key)]),
        PlaylistTag("SESSION-DATA", [("URI", .data)]),
        PlaylistTag("CONTENT-STEERING", [("SERVER-URI", .data)]),
    ]

    /// The tag of a line's name; nil for one that names no address.
    static func named(_ name: ArraySlice<UInt8>) -> PlaylistTag? {
        all.first { $0.name.count == name.count && $0.name.elementsEqual(name) }
    }
}

/// One attribute of a tag: `NAME=value` or `NAME="value"`.
struct PlaylistAttribute {
    let name: ArraySlice<UInt8>
    /// Without its quotes.
    let value: ArraySlice<UInt8>
    let isQuoted: Bool

    /// Reads the attribute at the beginning of a list, and removes it and its comma.
    ///
    /// - Returns: nil at the end, and where no attribute can be read.
    static func next(_ list: inout ArraySlice<UInt8>) -> PlaylistAttribute? {
        guard let equals = list.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        // A word without a value may stand before.
        let before = list[..<equals]
        let start = before.lastIndex(of: UInt8(ascii: ",")).map { $0 + 1 } ?? before.startIndex
        let name = before[start...].trimmed
        let rest = list[(equals + 1)...]
        let (value, isQuoted): (ArraySlice<UInt8>, Bool)
        var end: Int
        if rest.first == UInt8(ascii: "\"") {
            let inner = rest.dropFirst()
            guard let close = inner.firstIndex(of: UInt8(ascii: "\"")) else { return nil }
            (value, isQuoted, end) = (inner[..<close], true, close + 1)
            end = rest[end...].firstIndex(of: UInt8(ascii: ",")) ?? rest.endIndex
        } else {
            end = rest.firstIndex(of: UInt8(ascii: ",")) ?? rest.endIndex
            (value, isQuoted) = (rest[..<end].trimmed, false)
        }
        list = list[min(end + 1, list.endIndex)...]
        return PlaylistAttribute(name: name, value: value, isQuoted: isQuoted)
    }
}

extension ArraySlice<UInt8> {
    /// Without spaces and tabs at both ends.
    var trimmed: ArraySlice<UInt8> {
        var slice = self
        while let first = slice.first, first == 0x20 || first == 0x09 { slice.removeFirst() }
        while let last = slice.last, last == 0x20 || last == 0x09 { slice.removeLast() }
        return slice
    }
}
