import TakeupCurl
import TakeupFetch
import Testing

@Suite("Network prefix")
struct NetworkPrefixTests {
    @Test(
        "holds from its first to its last address",
        arguments: [
            ("10.0.0.0/8", "10.0.0.0", "10.255.255.255", "11.0.0.0"),
            ("100.64.0.0/10", "100.64.0.0", "100.127.255.255", "100.128.0.0"),
            ("192.0.2.7", "192.0.2.7", "192.0.2.7", "192.0.2.8"),
            ("fc00::/7", "fc00::", "fdff:ffff::1", "fe00::"),
            ("0.0.0.0/0", "0.0.0.0", "255.255.255.255", "::1"),
        ])
    func contains(text: String, first: String, last: String, outside: String) throws {
        let network = try #require(NetworkPrefix(text))
        #expect(network.contains(try #require(IPAddress(first))))
        #expect(network.contains(try #require(IPAddress(last))))
        #expect(!network.contains(try #require(IPAddress(outside))))
    }

    @Test(
        "is read strictly",
        arguments: [
            "", "/", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.1/8", "10/8",
            "::/129", "10.0.0.0/8/8", "10.0.0.0/٨", " 10.0.0.0/8", "example.com/8",
        ])
    func strict(text: String) {
        #expect(NetworkPrefix(text) == nil)
    }

    @Test("prints what it reads", arguments: ["10.0.0.0/8", "2001:db8::/32", "::/0"])
    func prints(text: String) {
        #expect(NetworkPrefix(text)?.description == text)
    }
}
