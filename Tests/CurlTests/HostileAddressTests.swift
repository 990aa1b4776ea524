import TakeupCurl
import TestSupport
import Testing

@Suite("Hostile addresses")
struct HostileAddressTests {
    private static let hosts = [
        "https://example.com", "https://EXAMPLE.com:443", "http://bücher.example",
        "http://127.0.0.1:8080", "https://[2001:db8::1]:81", "https://a-b.example",
        "http://xn--bcher-kva.example", "http://０x7f.1",
    ]

    @Test("500 of them are refused, or stay the same however often they are read (C11)")
    func stays() throws {
        var read = 0
        for text in HostileAddresses.texts(500, at: Self.hosts) {
            guard let address = try? WebAddress(text) else { continue }
            read += 1
            let again = try WebAddress(address.text)
            #expect(again == address, "\(text.debugDescription)")
            #expect(again.text == address.text)
            #expect(address.text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
            #expect(!address.text.contains("#"))
            #expect(try address.resolving(address.text) == address)
            #expect(try WebAddress("http://other.example/").resolving(address.text) == address)
        }
        #expect(read > 250, "\(read) are addresses")
    }

    @Test("bytes of path and query come back as they went in (C11)")
    func decodes() throws {
        for byte in UInt8(0)...255 {
            let code = "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            for text in ["https://a.example/x\(code)y", "https://a.example/x?k=\(code)"] {
                #expect(try WebAddress(text).text == text)
            }
        }
        for piece in ["直播10", "é", "e\u{301}", "😀", "a b", "\u{202E}gpj"] {
            let address = try WebAddress("https://a.example/\(piece)?q=\(piece)")
            #expect(Self.decoded(address.path) == Array("/\(piece)".utf8))
            #expect(Self.decoded(address.query ?? "") == Array("q=\(piece)".utf8))
        }
    }

    private static func decoded(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let code = String(decoding: rest.prefix(2), as: UTF8.self)
            bytes.append(UInt8(code, radix: 16) ?? 0)
            rest = rest.dropFirst(2)
        }
        return bytes
    }
}
