import Foundation
import TakeupModel
import TestSupport
import Testing

@testable import TakeupServe

@Suite("Proxy addresses")
struct ProxyAddressTests {
    private let key = ProxyKey(bytes: Array(0..<32))

    private func token(_ path: String) -> String { String(path.split(separator: "/")[1]) }

    @Test("500 hostile addresses come back as they were")
    func hostile() throws {
        let hosts = ["https://example.com", "http://直播.example", "https://[::1]:8443"]
        for text in HostileAddresses.texts(500, at: hosts) {
            let address = ProxyAddress(url: text, headers: ["Authorization"], expiresAt: 9)
            let path = address.path(key)
            let isPlain = path.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x25 }
            #expect(isPlain && path.split(separator: "/").count == 3, "\(path)")
            let back = try ProxyAddress(token: token(path), key, now: 8)
            #expect(Array(back.url.utf8) == Array(text.utf8))
            #expect(back.headers == ["authorization"] && back.expiresAt == 9)
        }
    }

    @Test("the last part keeps an extension")
    func names() {
        let key = key
        func name(_ url: String) -> String {
            String(ProxyAddress(url: url).path(key).split(separator: "/")[2])
        }
        #expect(name("https://a.example/x/clip%20one.mp4?token=secret") == "clip_one.mp4")
        #expect(name("https://a.example/../..") == "media")
        #expect(name("https://a.example") == "media")
        #expect(name("https://a.example/" + String(repeating: "é", count: 99) + ".m4v").count == 64)
    }

    @Test("every changed character is noticed")
    func forged() throws {
        let token = token(ProxyAddress(url: "https://a.example/x.mp4").path(key))
        for index in token.indices {
            var other = token
            other.replaceSubrange(index...index, with: token[index] == "A" ? "B" : "A")
            #expect(throws: Failure.self) { try ProxyAddress(token: other, key, now: 0) }
        }
        for text in ["", ".", "..", token + ".", token + "A", String(token.dropLast())] {
            let failure = #expect(throws: Failure.self) {
                try ProxyAddress(token: text, key, now: 0)
            }
            #expect(failure?.code == "signatureInvalid" && failure?.exitCode == .notPermitted)
        }
        #expect(throws: Failure.self) {
            try ProxyAddress(token: token, ProxyKey(bytes: Array(1...32)), now: 0)
        }
    }

    @Test("an address ends at its time")
    func expired() throws {
        let path = ProxyAddress(url: "https://a.example/x.mp4", expiresAt: 100).path(key)
        _ = try ProxyAddress(token: token(path), key, now: 99.9)
        let failure = #expect(throws: Failure.self) {
            try ProxyAddress(token: token(path), key, now: 100)
        }
        #expect(failure?.code == "addressExpired")
    }

    @Test(
        "fields of a connection, of this server and of ranges are never passed",
        arguments: [
            "Host", "Range", "If-Range", "If-None-Match", "Cookie", "Connection", "TE", "Upgrade",
            "Transfer-Encoding", "Content-Length", "Proxy-Authorization", "Proxy-Connection",
            "Accept-Encoding", "X-Forwarded-For", "Sec-Fetch-Site", "", "a b", "a:b", "é",
        ])
    func headers(_ name: String) {
        #expect(!ProxyAddress.permits(header: name))
        #expect(ProxyAddress.permits(header: "Authorization"))
    }

    @Test("a key is made once, for this user alone")
    func keyFile() throws {
        let folder = try TemporaryDirectory()
        let first = try ProxyKey.open(home: folder.path)
        let second = try ProxyKey.open(home: folder.path)
        let path = ProxyAddress(url: "https://a.example/x.mp4").path(first)
        #expect(ProxyAddress(url: "https://a.example/x.mp4").path(second) == path)
        let file = folder.file("serve.key")
        let facts = try FileManager.default.attributesOfItem(atPath: file)
        #expect(facts[.posixPermissions] as? Int == 0o600 && facts[.size] as? Int == 32)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["serve.key"])
    }

    @Test("a key that others can read, that is a link, or that has another size is refused")
    func keyRefused() throws {
        let folder = try TemporaryDirectory()
        let file = folder.file("serve.key")
        func refused() -> Bool {
            let failure = #expect(throws: Failure.self) { try ProxyKey.open(home: folder.path) }
            return failure?.exitCode == .configuration && failure?.code == "proxyKeyUnusable"
        }
        _ = try ProxyKey.open(home: folder.path)
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file)
        #expect(refused())
        for bytes in [0, 31, 33] {
            try FileManager.default.removeItem(atPath: file)
            try Data(count: bytes).write(to: URL(filePath: file))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
            #expect(refused())
        }
        try FileManager.default.moveItem(atPath: file, toPath: folder.file("other"))
        try FileManager.default.createSymbolicLink(
            atPath: file, withDestinationPath: folder.file("other"))
        #expect(refused())
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
        #expect(refused())
    }
}
