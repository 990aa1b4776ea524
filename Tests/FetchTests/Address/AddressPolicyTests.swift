import TakeupCurl
import TakeupFetch
import Testing

@Suite("Address policy")
struct AddressPolicyTests {
    @Test(
        "permits the public Internet",
        arguments: [
            "1.1.1.1", "8.8.8.8", "93.184.216.34", "172.15.255.255", "172.32.0.0", "100.63.255.255",
            "100.128.0.0", "223.255.255.255", "2606:4700:4700::1111", "2a00:1450:4001::1",
            "64:ff9b::808:808", "2002:808:808::1", "::ffff:8.8.8.8",
        ])
    func publicAddresses(text: String) throws {
        let address = try #require(IPAddress(text))
        #expect(AddressPolicy().denial(of: address, port: 443) == nil)
    }

    @Test(
        "denies what is private, local, reserved or a carrier of such",
        arguments: [
            "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255",
            "100.100.100.200", "127.0.0.1", "127.255.255.254", "169.254.0.1", "169.254.169.254",
            "168.63.129.16", "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.2.1",
            "192.88.99.1", "192.168.0.1", "198.18.0.1", "198.19.255.255", "198.51.100.1",
            "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255",
            "::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:10.0.0.1",
            "::ffff:169.254.169.254", "::ffff:0:10.0.0.1", "64:ff9b::10.0.0.1",
            "64:ff9b::169.254.169.254", "64:ff9b:1::8.8.8.8", "100::1", "2001::1", "2001:db8::1",
            "2002:7f00:1::", "2002:a00:1::1", "2002:a9fe:a9fe::1", "2002:c0a8:1::1",
            "3fff::1", "4000::1", "5f00::1", "fc00::1", "fd00:ec2::254", "fe80::1", "fec0::1",
            "ff02::1", "2a00::5efe:10.0.0.1", "2a00::200:5efe:127.0.0.1",
        ])
    func notPublicAddresses(text: String) throws {
        let address = try #require(IPAddress(text))
        #expect(AddressPolicy().denial(of: address, port: 443) != nil)
    }

    @Test("permits a network that is named, on both sides of a mapping")
    func permitted() throws {
        let loopback = try #require(NetworkPrefix("127.0.0.0/8"))
        let policy = AddressPolicy(permitted: [loopback], ports: nil)
        let mapped = try #require(IPAddress("::ffff:127.0.0.1"))
        #expect(policy.denial(of: try #require(IPAddress("127.0.0.1")), port: 4444) == nil)
        #expect(policy.denial(of: mapped, port: 4444) == nil)
        let other = try #require(IPAddress("10.0.0.1"))
        let network = try #require(NetworkPrefix("10.0.0.0/8"))
        let denial = try #require(policy.denial(of: other, port: 80))
        #expect(denial == .network(other, network))
        #expect("\(denial)" == "10.0.0.1 is in 10.0.0.0/8, which is not public")
    }

    @Test("a permitted network does not permit what it carries")
    func carriers() throws {
        let carrier = try #require(NetworkPrefix("2002::/16"))
        let policy = AddressPolicy(permitted: [carrier])
        #expect(policy.denial(of: try #require(IPAddress("2002:7f00:1::")), port: 443) != nil)
    }

    @Test("a service of secrets is permitted by its own address only")
    func metadata() throws {
        let address = try #require(IPAddress("169.254.169.254"))
        var policy = AddressPolicy(permitted: [try #require(NetworkPrefix("169.254.0.0/16"))])
        #expect(policy.denial(of: address, port: 80) != nil)
        policy.permitted.append(try #require(NetworkPrefix("169.254.169.254")))
        #expect(policy.denial(of: address, port: 80) == nil)
    }

    @Test("permits the usual ports unless told otherwise")
    func ports() throws {
        let address = try #require(IPAddress("8.8.8.8"))
        #expect(AddressPolicy().denial(of: address, port: 22) == .port(22))
        #expect(AddressPolicy(ports: [8443]).denial(of: address, port: 443) == .port(443))
        #expect(AddressPolicy(ports: nil).denial(of: address, port: 22) == nil)
    }

    @Test("refuses what is written in an address before anything is looked up")
    func written() throws {
        let policy = AddressPolicy()
        #expect(policy.denial(of: try WebAddress("http://example.com/")) == .scheme(.http))
        #expect(policy.denial(of: try WebAddress("https://example.com:8443/")) == .port(8443))
        #expect(policy.denial(of: try WebAddress("https://[::1]/")) != nil)
        #expect(policy.denial(of: try WebAddress("https://0x7f.1/")) != nil)
        #expect(policy.denial(of: try WebAddress("https://example.com/")) == nil)
    }
}
