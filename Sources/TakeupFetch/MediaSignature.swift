internal import TakeupFields

/// The kind of an object according to its first bytes; decides whether it may be stored as media.
///
/// The bytes outweigh the origin's content type. Media with a wrong type is accepted; a web page
/// with a media type is refused.
public enum MediaSignature: String, Sendable {
    case mp4, matroska, transportStream, programStream, elementaryVideo, flv, avi, wav, mp3, aac
    case ogg, flac, gif, jpeg, png, mxf, asf, amr, y4m, playlist

    /// Number of first bytes that are enough for a judgement.
    public static let prefixBytes = 1024

    /// The judgement on an object.
    public enum Verdict: Equatable, Sendable {
        case media(MediaSignature)
        /// The bytes are not recognized, but nothing speaks against them: the demuxer's probe
        /// decides.
        case unknown
        /// The bytes are not media; the text is for `FetchError.notMedia`.
        case refuse(String)
    }

    /// Judges the first bytes of an object that is not encrypted.
    ///
    /// - Parameters:
    ///   - prefix: The first `prefixBytes`, or all of a shorter object.
    ///   - contentType: The field as received; nil if there is none.
    /// - Returns: The judgement; `unknown` is not a refusal.
    public static func judge(
        _ prefix: some Collection<UInt8>, contentType: String?
    ) -> Verdict {
        let bytes = Array(prefix.prefix(prefixBytes))
        guard !bytes.isEmpty else { return .refuse("an empty body") }
        if let signature = binary(bytes) { return .media(signature) }
        if let archive = archives.first(where: { bytes.starts(with: $0.magic) }) {
            return .refuse(archive.name)
        }
        switch TextSignature(bytes) {
        case .playlist: return .media(.playlist)
        case .page: return .refuse("an HTML page")
        case .text(let name): return .refuse(name)
        case .none: break
        }
        let type = mediaType(contentType)
        return isDocument(type) ? .refuse("a body of type \(type)") : .unknown
    }

    /// Returns whether the first bytes are those of an HTML page, such as a login page with status 200.
    static func isPage(_ prefix: [UInt8]) -> Bool { TextSignature(prefix) == .page }

    /// Returns the media type in lower case, without parameters; empty if there is none.
    static func mediaType(_ contentType: String?) -> String {
        let type = (contentType ?? "").prefix { $0 != ";" && $0 != "," }
        return FieldText.trimmed(type).lowercased()
    }

    /// Returns whether a content type means a document, not media.
    private static func isDocument(_ type: String) -> Bool {
        let documents = [
            "text/html", "text/css", "text/javascript", "application/javascript",
            "application/json", "application/pdf", "application/zip", "application/gzip",
        ]
        return documents.contains(type) || type.hasSuffix("/xml") || type.hasSuffix("+xml")
            || type.hasSuffix("+json")
    }

    private static let archives: [(name: String, magic: [UInt8])] = [
        ("a gzip body", [0x1F, 0x8B]), ("a zstd body", [0x28, 0xB5, 0x2F, 0xFD]),
        ("a bzip2 body", [0x42, 0x5A, 0x68]), ("an xz body", [0xFD, 0x37, 0x7A, 0x58, 0x5A]),
        ("a zip archive", [0x50, 0x4B, 0x03, 0x04]), ("a PDF document", Array("%PDF".utf8)),
    ]

    private static let magics: [(signature: MediaSignature, offset: Int, magic: [UInt8])] = [
        (.matroska, 0, [0x1A, 0x45, 0xDF, 0xA3]), (.programStream, 0, [0, 0, 1, 0xBA]),
        (.elementaryVideo, 0, [0, 0, 1, 0xB3]), (.elementaryVideo, 0, [0, 0, 0, 1]),
        (.flv, 0, Array("FLV\u{1}".utf8)), (.mp3, 0, Array("ID3".utf8)),
        (.ogg, 0, Array("OggS".utf8)), (.flac, 0, Array("fLaC".utf8)),
        (.gif, 0, Array("GIF87a".utf8)), (.gif, 0, Array("GIF89a".utf8)),
        (.jpeg, 0, [0xFF, 0xD8, 0xFF]), (.png, 0, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A]),
        (.mxf, 0, [0x06, 0x0E, 0x2B, 0x34, 0x02, 0x05]),
        (.asf, 0, [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11]),
        (.amr, 0, Array("#!AMR".utf8)), (.y4m, 0, Array("YUV4MPEG2 ".utf8)),
        (.avi, 8, Array("AVI ".utf8)), (.wav, 8, Array("WAVE".utf8)),
    ]

    private static func binary(_ bytes: [UInt8]) -> MediaSignature? {
        if isMP4(bytes) { return .mp4 }
        let magic = magics.first { bytes.dropFirst($0.offset).starts(with: $0.magic) }
        if let signature = magic?.signature {
            let isRIFF = ["RIFF", "RF64", "RIFX"].contains { bytes.starts(with: $0.utf8) }
            return (signature != .avi && signature != .wav) || isRIFF ? signature : nil
        }
        if isTransportStream(bytes) { return .transportStream }
        return audioSync(bytes)
    }

    /// Returns whether the bytes start with an MP4 box of plausible size that can start a file.
    private static func isMP4(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 8 else { return false }
        let size = bytes[..<4].reduce(0) { $0 << 8 | Int($1) }
        let kinds = [
            "ftyp", "styp", "moov", "moof", "mdat", "free", "skip", "wide", "pnot", "sidx",
            "junk", "pict",
        ]
        return (size <= 1 || size >= 8) && kinds.contains { bytes[4..<8].elementsEqual($0.utf8) }
    }

    /// Returns whether a sync byte starts each packet: plain, with time stamps, or with parity.
    private static func isTransportStream(_ bytes: [UInt8]) -> Bool {
        [(0, 188), (4, 192), (0, 204)].contains { first, length in
            let places = stride(from: first, to: bytes.count, by: length)
            return bytes.count > first + length && places.allSatisfy { bytes[$0] == 0x47 }
        }
    }

    /// Returns the kind of audio if the bytes start with an MPEG audio or ADTS header without
    /// reserved values.
    private static func audioSync(_ bytes: [UInt8]) -> MediaSignature? {
        guard bytes.count >= 4, bytes[0] == 0xFF, bytes[1] & 0xE0 == 0xE0 else { return nil }
        if bytes[1] & 0xF6 == 0xF0 { return bytes[2] >> 2 & 0xF < 13 ? .aac : nil }
        let isReserved =
            bytes[1] & 0x18 == 0x08 || bytes[1] & 0x06 == 0 || bytes[2] & 0xF0 == 0xF0
            || bytes[2] & 0x0C == 0x0C
        return isReserved || TextSignature.isUTF16(bytes) ? nil : .mp3
    }
}
