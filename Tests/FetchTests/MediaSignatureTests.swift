import TakeupFetch
import Testing

@Suite("Media signature")
struct MediaSignatureTests {
    /// A box of an MP4's beginning.
    static func box(_ kind: String, size: UInt8 = 8) -> [UInt8] {
        [0, 0, 0, size] + Array(kind.utf8) + [1, 2, 3, 4]
    }

    static func packets(_ length: Int, first: Int = 0, count: Int = 3) -> [UInt8] {
        var bytes = Array(repeating: UInt8(0x11), count: first + length * count)
        for index in 0..<count { bytes[first + index * length] = 0x47 }
        return bytes
    }

    static let media: [(MediaSignature, [UInt8])] =
        ["ftyp", "styp", "moov", "moof", "mdat", "free", "skip", "wide", "pnot"].map {
            (.mp4, box($0))
        } + [
            (.mp4, box("mdat", size: 0)), (.mp4, box("mdat", size: 1)),
            (.matroska, [0x1A, 0x45, 0xDF, 0xA3, 0x01]),
            (.transportStream, packets(188)), (.transportStream, packets(192, first: 4)),
            (.transportStream, packets(204)), (.programStream, [0, 0, 1, 0xBA, 0x44]),
            (.elementaryVideo, [0, 0, 1, 0xB3, 0x14]), (.flv, Array("FLV\u{1}".utf8) + [5]),
            (.avi, Array("RIFF....AVI LIST".utf8)), (.wav, Array("RIFF....WAVEfmt ".utf8)),
            (.wav, Array("RF64....WAVEds64".utf8)), (.mp3, Array("ID3".utf8) + [4, 0]),
            (.mp3, [0xFF, 0xFB, 0x90, 0x64]), (.mp3, [0xFF, 0xF3, 0x44, 0xC0]),
            (.aac, [0xFF, 0xF1, 0x50, 0x80]), (.aac, [0xFF, 0xF9, 0x4C, 0x80]),
            (.ogg, Array("OggS".utf8) + [0]), (.flac, Array("fLaC".utf8) + [0]),
            (.gif, Array("GIF89a".utf8)), (.gif, Array("GIF87a".utf8)),
            (.jpeg, [0xFF, 0xD8, 0xFF, 0xE0]), (.png, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A]),
            (.mxf, [0x06, 0x0E, 0x2B, 0x34, 0x02, 0x05, 0x01]),
            (.asf, [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11]),
            (.amr, Array("#!AMR\n".utf8)), (.amr, Array("#!AMR-WB\n".utf8)),
            (.y4m, Array("YUV4MPEG2 W16 H16\nFRAME\n".utf8)),
            (.playlist, Array("#EXTM3U\n#EXT-X-VERSION:3\n".utf8)),
            (.playlist, [0xEF, 0xBB, 0xBF] + Array("#EXTM3U\r\n".utf8)),
        ]

    @Test("knows media by its bytes, whatever the origin calls it", arguments: media)
    func knows(signature: MediaSignature, bytes: [UInt8]) {
        for type in [nil, "", "video/mp4", "text/html; charset=utf-8", "application/json"] {
            #expect(MediaSignature.judge(bytes, contentType: type) == .media(signature))
        }
    }

    @Test(
        "refuses pages, documents and compressed bodies under any type",
        arguments: [
            ("an HTML page", Array("<!DOCTYPE html><html>".utf8)),
            ("an HTML page", Array("\n \t<HTML><head>".utf8)),
            ("an HTML page", [0xEF, 0xBB, 0xBF] + Array("<html>".utf8)),
            ("an XML or HTML document", Array("<?xml version=\"1.0\"?><Error/>".utf8)),
            ("an XML or HTML document", Array("<MPD>".utf8)),
            ("an XML or HTML document", Array("<!-- sign in -->".utf8)),
            ("a JSON document", Array(#"{"error":"denied"}"#.utf8)),
            ("a JSON document", Array(" [1, 2]".utf8)),
            ("a plain text", Array("Please log in.\r\n".utf8)),
            ("a plain text", Array("Bitte anmelden: für Gäste".utf8)),
            ("a plain text", Array("ffconcat version 1.0\nfile x".utf8)),
            ("a text in UTF-16", [0xFF, 0xFE, 0x3C, 0, 0x68, 0]),
            ("a text in UTF-16", [0xFE, 0xFF, 0, 0x3C, 0, 0x68]),
            ("a gzip body", [0x1F, 0x8B, 8, 0]), ("a zstd body", [0x28, 0xB5, 0x2F, 0xFD, 4]),
            ("a zip archive", Array("PK\u{3}\u{4}".utf8)),
            ("a PDF document", Array("%PDF-1.7".utf8)),
            ("an empty body", []),
        ] as [(String, [UInt8])])
    func refuses(words: String, bytes: [UInt8]) {
        for type in [nil, "video/mp4", "application/octet-stream", "video/MP2T"] {
            #expect(MediaSignature.judge(bytes, contentType: type) == .refuse(words))
        }
    }

    @Test("leaves unknown bytes to the probe, unless they come as a document")
    func unknown() {
        let bytes: [UInt8] = [0x0B, 0x77, 0x01, 0x02, 0x00, 0xFE]
        for type in [nil, "", "video/x-unheard-of", "text/plain", "multipart/form-data"] {
            #expect(MediaSignature.judge(bytes, contentType: type) == .unknown)
        }
        for type in ["text/html", "Application/JSON; a=b", "image/svg+xml", "text/xml"] {
            let verdict = MediaSignature.judge(bytes, contentType: type)
            guard case .refuse = verdict else {
                Issue.record("\(type) is \(verdict)")
                continue
            }
        }
    }

    @Test("judges a text that the prefix cuts within a character")
    func cutCharacter() {
        let text = String(repeating: "a", count: MediaSignature.prefixBytes - 1) + "é and more"
        let verdict = MediaSignature.judge(Array(text.utf8), contentType: nil)
        #expect(verdict == .refuse("a plain text"))
    }

    @Test("takes one sync byte, a reserved frame or another RIFF for nothing known")
    func near() {
        var broken = Self.packets(188)
        broken[188] = 0
        #expect(MediaSignature.judge(broken, contentType: nil) == .unknown)
        let others: [[UInt8]] = [
            [0xFF, 0xFB, 0xF0, 0x64], [0xFF, 0xEB, 0x90, 0x64], [0, 0, 0, 2] + Array("mdat".utf8),
            Array("XXXX....AVI ".utf8) + [0],
        ]
        for bytes in others {
            #expect(MediaSignature.judge(bytes, contentType: nil) == .unknown)
        }
    }
}
