import TakeupCurl
import Testing

@Suite("Web address")
struct WebAddressTests {
    @Test(
        "has one normal text",
        arguments: [
            ("HTTPS://Example.COM", "https://example.com/"),
            ("https://example.com:443/a", "https://example.com/a"),
            ("http://example.com:080/a", "http://example.com/a"),
            ("http://example.com:8080/a", "http://example.com:8080/a"),
            ("https://example.com/a/../b/./c", "https://example.com/b/c"),
            ("https://example.com/a#part", "https://example.com/a"),
            ("https://example.com/直播10.mp4", "https://example.com/%E7%9B%B4%E6%92%AD10.mp4"),
            ("https://example.com/%E7%9B%B4", "https://example.com/%E7%9B%B4"),
            ("https://example.com/a%2Fb+c", "https://example.com/a%2Fb+c"),
            ("https://example.com/a b.mp4", "https://example.com/a%20b.mp4"),
            ("https://example.com/a?q=b c+d", "https://example.com/a?q=b%20c+d"),
            ("https://example.com?q=1", "https://example.com/?q=1"),
            ("https://example.com/a?q=é#x y", "https://example.com/a?q=%C3%A9"),
            ("https://bücher.example/a", "https://xn--bcher-kva.example/a"),
            ("https://Faß.EXAMPLE/a", "https://xn--fa-hia.example/a"),
            ("https://b%C3%BCcher.example/a", "https://xn--bcher-kva.example/a"),
            ("http://１２７。０.０.１:81/", "http://127.0.0.1:81/"),
            ("http://0x7f.1/", "http://127.0.0.1/"),
            ("http://2130706433/", "http://127.0.0.1/"),
            ("http://[::1]:80/", "http://[::1]/"),
            ("http://[2001:DB8::1]/", "http://[2001:db8::1]/"),
        ])
    func normal(text: String, expected: String) throws {
        let address = try WebAddress(text)
        #expect(address.text == expected)
        #expect(try WebAddress(address.text) == address)
    }

    @Test("keeps a query of 8 KB, and stays the same when it is read again")
    func longQuery() throws {
        let query = (0..<800).map { "k\($0)=%2f+~!$&'()*,;:@/?" }.joined(separator: "&")
        let address = try WebAddress("https://example.com/a?\(query.prefix(8192))")
        #expect(address.query == String(query.prefix(8192)))
        #expect(try WebAddress(address.text) == address)
    }

    @Test("stays the same when it is read again, with each character in path and query")
    func characters() throws {
        for byte in UInt8(0x20)...0x7E {
            let character = Character(UnicodeScalar(byte))
            for text in [
                "https://example.com/a\(character)b", "https://example.com/a?b\(character)c",
            ] {
                guard let address = try? WebAddress(text) else { continue }
                #expect(try WebAddress(address.text) == address, "\(text)")
            }
        }
    }

    @Test("tells its parts")
    func parts() throws {
        let address = try WebAddress("https://[2001:db8::1]:8443/a/b.mp4?x=1")
        #expect(address.scheme == .https)
        #expect(address.host == "[2001:db8::1]")
        #expect(address.port == 8443)
        #expect(address.path == "/a/b.mp4")
        #expect(address.query == "x=1")
        #expect(address.literal == IPAddress("2001:db8::1"))
        #expect(try WebAddress("https://example.com/").literal == nil)
        #expect(try WebAddress("http://example.com/").port == 80)
    }

    @Test(
        "refuses what is no plain web address",
        arguments: [
            ("", .malformed), ("example.com/a", .scheme), ("/a", .scheme),
            ("https://", .malformed), ("https:///", .malformed), ("https://a b/", .malformed),
            ("https://127.0.0.1./", .malformed),
            ("https://1.2.3.4.5/", .malformed), ("https://1.2.3.256/", .malformed),
            ("https://a.0x1/", .malformed), ("https://example.com:99999/", .malformed),
            ("https://example.com:0/", .malformed),
            ("https://[::1/", .malformed), ("https://[fe80::1%25lo]/", .zone),
            ("file:///etc/passwd", .scheme), ("ftp://example.com/", .scheme),
            ("gopher://example.com/", .scheme), ("dict://example.com/", .scheme),
            ("https://user@example.com/", .credentials), ("https://@example.com/", .credentials),
            ("https://user:word@example.com/", .credentials), ("https://:w@a/", .credentials),
            ("https://example.com/\r\nHost: b", .characters), ("https://a/\0", .characters),
            ("https://a/\tb", .characters), ("https://a/\u{7F}", .characters),
            (" https://a", .scheme),
        ] as [(String, CurlError.Refusal)])
    func refuses(text: String, refusal: CurlError.Refusal) {
        let error = #expect(throws: CurlError.self) { try WebAddress(text) }
        #expect(error?.kind == .refused(refusal), "\(text)")
        #expect(error?.operation == .parse)
        #expect(error?.subject == "an address of \(text.utf8.count) bytes")
    }

    @Test("refuses other schemes that are no schemes of files either")
    func otherSchemes() {
        for text in ["data:text/plain,a", "javascript:alert(1)", "unix:/run/a", "subfile,,:a"] {
            #expect(throws: CurlError.self) { try WebAddress(text) }
        }
    }

    @Test("refuses an endless text")
    func length() {
        let text = "https://example.com/\(String(repeating: "é", count: 10_000))"
        let error = #expect(throws: CurlError.self) { try WebAddress(text) }
        #expect(error?.kind == .refused(.length))
    }

    @Test("shows neither query nor fragment, and never had credentials")
    func redacted() throws {
        let address = try WebAddress("https://example.com/a.mp4?token=secret#secret")
        #expect(address.redacted == "https://example.com/a.mp4?…")
        #expect("\(address)" == address.redacted)
        #expect(!address.text.contains("#"))
        #expect(try WebAddress("https://example.com/a.mp4").redacted == "https://example.com/a.mp4")
    }

    @Test(
        "finds where a reference leads",
        arguments: [
            ("/x", "https://example.com/x"), ("x", "https://example.com/a/x"),
            ("../x", "https://example.com/x"), ("?q=2", "https://example.com/a/b.mp4?q=2"),
            ("//other.example/x", "https://other.example/x"),
            ("http://other.example", "http://other.example/"),
            ("HTTPS://Other.example:443/é", "https://other.example/%C3%A9"),
            ("直播.mp4", "https://example.com/a/%E7%9B%B4%E6%92%AD.mp4"),
            ("x y?http://a/b c", "https://example.com/a/x%20y?http://a/b%20c"),
            ("./x:y", "https://example.com/a/x:y"),
        ])
    func resolves(reference: String, expected: String) throws {
        let base = try WebAddress("https://example.com/a/b.mp4?q=1")
        #expect(try base.resolving(reference).text == expected)
    }

    @Test(
        "refuses where a reference may not lead",
        arguments: [
            "file:///etc/hostname", "ftp://example.com/", "gopher://a/", "data:text/plain,a",
            "javascript:alert(1)", "//user:word@other.example/", "https://user@other.example/",
            "x\r\nSet-Cookie: a=b", "x\0y", "", "http://",
        ])
    func refusedReferences(reference: String) throws {
        let base = try WebAddress("https://example.com/a?token=secret")
        let error = #expect(throws: CurlError.self) { try base.resolving(reference) }
        #expect(error?.operation == .resolve)
        #expect(error?.subject == "https://example.com/a?…")
    }

    @Test("tells what may share secrets")
    func origin() throws {
        let base = try WebAddress("https://example.com/a")
        #expect(base.hasSameOrigin(as: try WebAddress("https://EXAMPLE.com:443/b")))
        for other in ["http://example.com/", "https://example.com:8443/", "https://a.example.com/"]
        {
            #expect(!base.hasSameOrigin(as: try WebAddress(other)))
        }
    }
}
