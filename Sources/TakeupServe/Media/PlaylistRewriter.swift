package import TakeupCurl

/// Replaces the addresses in an HLS playlist, and keeps everything else byte for byte.
///
/// - Note: Source: RFC 8216 and draft-pantos-hls-rfc8216bis.
package struct PlaylistRewriter {
    /// Why a text is not rewritten.
    package enum Fault: Error, Equatable {
        /// It does not begin with `#EXTM3U`.
        case notPlaylist
        case tooLarge
        /// The new text was not admitted.
        case noRoom
    }

    /// Bounds of the work.
    package struct Limits: Sendable {
        package var bytes = 8 << 20
        package var lines = 200_000
        package var addresses = 100_000
        /// Of the new text.
        package var rewrittenBytes = 32 << 20
        /// Asked for room for so many more bytes of the new text.
        package var admits: @Sendable (Int) -> Bool = { _ in true }

        package init() {}
    }

    /// A playlist with other addresses.
    package struct Rewritten: Sendable, Equatable {
        package var bytes: [UInt8]
        /// Whether more will be appended: a media playlist without an end.
        package var isLive: Bool
        /// The longest segment, as told; nil if it is not.
        package var targetSeconds: Double?
    }

    /// Bytes of the new text for which room is asked at once.
    private static let admittedStep = 256 << 10

    private let limits: Limits
    private let proxied: (String, PlaylistReference) -> String
    private var resolver: PlaylistResolver
    private var variables: PlaylistVariables
    private var result: [UInt8] = []
    private var admittedBytes = 0
    private var addresses = 0
    /// Bytes of references, with their variables put in.
    private var readBytes = 0
    private var isMaster = false
    private var isEnded = false
    /// Whether the next address is that of a variant.
    private var awaitsVariant = false
    private var targetSeconds: Double?

    private init(
        _ base: WebAddress, _ limits: Limits,
        _ proxied: @escaping (String, PlaylistReference) -> String
    ) {
        (self.limits, self.proxied) = (limits, proxied)
        (resolver, variables) = (PlaylistResolver(base), PlaylistVariables(of: base))
    }

    /// Rewrites a playlist.
    ///
    /// Addresses that are not http or https stay as they are, as do those that cannot be read.
    ///
    /// - Parameters:
    ///   - text: The playlist.
    ///   - base: Where it came from, after redirects.
    ///   - limits: Bounds of the work.
    ///   - proxied: Returns what replaces an absolute address.
    /// - Returns: The playlist with other addresses.
    /// - Throws: `Fault`.
    package static func rewrite(
        _ text: [UInt8], from base: WebAddress, limits: Limits = Limits(),
        _ proxied: (String, PlaylistReference) -> String
    ) throws(Fault) -> Rewritten {
        guard text.count <= limits.bytes else { throw .tooLarge }
        let outcome: Result<Rewritten, Fault> = withoutActuallyEscaping(proxied) { proxied in
            Result { () throws(Fault) in
                var rewriter = PlaylistRewriter(base, limits, proxied)
                return try rewriter.run(text)
            }
        }
        return try outcome.get()
    }

    private mutating func run(_ text: [UInt8]) throws(Fault) -> Rewritten {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        var rest = text[...]
        if rest.starts(with: mark) { rest = rest.dropFirst(mark.count) }
        guard Self.begins(rest) else { throw .notPlaylist }
        result.reserveCapacity(text.count * 2)
        result += text[..<rest.startIndex]
        var lines = 0
        while !rest.isEmpty {
            lines += 1
            guard lines <= limits.lines, result.count <= limits.rewrittenBytes else {
                throw .tooLarge
            }
            let next = rest.firstIndex(of: 0x0A) ?? rest.endIndex
            var end = next
            while end > rest.startIndex, rest[end - 1] == 0x0D { end -= 1 }
            try take(rest[rest.startIndex..<end])
            let after = min(next + 1, rest.endIndex)
            result += rest[end..<after]
            rest = rest[after...]
            if result.count - admittedBytes >= Self.admittedStep { try admit() }
        }
        try admit()
        guard result.count <= limits.rewrittenBytes else { throw .tooLarge }
        return Rewritten(
            bytes: result, isLive: !isMaster && !isEnded, targetSeconds: targetSeconds)
    }

    private mutating func admit() throws(Fault) {
        guard limits.admits(result.count - admittedBytes) else { throw .noRoom }
        admittedBytes = result.count
    }

    private static func begins(_ text: ArraySlice<UInt8>) -> Bool {
        guard text.starts(with: "#EXTM3U".utf8) else { return false }
        return text.dropFirst(7).first.map { [0x0A, 0x0D, 0x20, 0x09].contains($0) } ?? true
    }

    private mutating func take(_ line: ArraySlice<UInt8>) throws(Fault) {
        guard line.first == UInt8(ascii: "#") else { return try address(line) }
        let prefix = "#EXT-X-".utf8
        guard line.starts(with: prefix) else {
            result += line
            return
        }
        let rest = line.dropFirst(prefix.count)
        let colon = rest.firstIndex(of: UInt8(ascii: ":")) ?? rest.endIndex
        let name = rest[..<colon]
        let list = rest[min(colon + 1, rest.endIndex)...]
        if let tag = PlaylistTag.named(name) {
            try rewrite(list, of: tag, in: line)
        } else if name.elementsEqual("DEFINE".utf8), let other = variables.define(list) {
            result += line[..<list.startIndex]
            result += other
        } else {
            note(name, list)
            result += line
        }
    }

    private mutating func note(_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) {
        if name.elementsEqual("STREAM-INF".utf8) {
            (isMaster, awaitsVariant) = (true, true)
        } else if name.elementsEqual("ENDLIST".utf8) {
            isEnded = true
        } else if name.elementsEqual("TARGETDURATION".utf8) {
            targetSeconds = Double(String(decoding: value.trimmed.prefix(20), as: UTF8.self))
        }
    }

    private mutating func address(_ line: ArraySlice<UInt8>) throws(Fault) {
        let reference = line.trimmed
        guard !reference.isEmpty else {
            result += line
            return
        }
        let kind: PlaylistReference = awaitsVariant ? .playlist : .segment
        awaitsVariant = false
        if let other = try replacement(of: reference, kind) {
            result += other.utf8
        } else {
            result += line
        }
    }

    private mutating func rewrite(
        _ list: ArraySlice<UInt8>, of tag: PlaylistTag, in line: ArraySlice<UInt8>
    ) throws(Fault) {
        var (rest, copied) = (list, line.startIndex)
        while let attribute = PlaylistAttribute.next(&rest) {
            guard attribute.isQuoted,
                let kind = tag.attributes.first(where: { $0.name.elementsEqual(attribute.name) })?
                    .kind,
                let other = try replacement(of: attribute.value.trimmed, kind)
            else { continue }
            result += line[copied..<attribute.value.startIndex]
            result += other.utf8
            copied = attribute.value.endIndex
        }
        result += line[copied...]
    }

    /// - Returns: nil for an address that stays.
    private mutating func replacement(
        of reference: ArraySlice<UInt8>, _ kind: PlaylistReference
    ) throws(Fault) -> String? {
        guard reference.count <= WebAddress.longestBytes,
            let plain = variables.substitute(reference)
        else { return nil }
        addresses += 1
        readBytes += plain.count
        guard addresses <= limits.addresses, readBytes <= limits.rewrittenBytes,
            result.count <= limits.rewrittenBytes
        else { throw .tooLarge }
        guard let address = resolver.resolve(plain) else { return nil }
        return proxied(address, kind)
    }
}
