import TakeupCurl
import TakeupFetch
import TakeupLanes
import Testing

@Suite("Address spellings")
struct AddressSpellingTests {
    /// Hosts that mean, or look as if they meant, an address that is not public.
    static let hosts = [
        "127.0.0.1", "127.0.0.1.", "127.1", "127.0.1", "127.1.", "2130706433", "2130706433.",
        "0x7f000001", "0X7F000001", "017700000001", "0x7f.0.0.1", "0x7f.1", "0177.0.0.1", "0177.1",
        "0177.0x0.0.1", "00000177.0.0.1", "127.0.0.0x1", "127.65535", "127.16777215",
        "%31%32%37.0.0.1",
        "127%2e0%2e0%2e1", "１２７.０.０.１", "１２７。０。０。１", "①②⑦.0.0.1", "127.0.0.1%20",
        "localhost", "LOCALHOST", "0", "0.0.0.0", "0x0", "00", "255.255.255.255",
        "10.0.0.1", "10.1", "0xa.1", "012.1", "167772161", "172.16.0.1", "172.31.255.254",
        "0xac.0x10.1",
        "192.168.0.1", "192.168.257", "3232235521", "0xc0a80001", "0300.0250.1", "169.254.169.254",
        "2852039166", "0xa9fea9fe", "0251.0376.0251.0376", "169.254.43518", "[::ffff:a9fe:a9fe]",
        "100.64.0.1", "100.100.100.200", "0x64.0x64.0x64.0xc8", "168.63.129.16", "192.0.0.192",
        "198.18.0.1", "224.0.0.1", "[::]", "[::1]", "[0:0:0:0:0:0:0:1]", "[0000::0001]",
        "[::127.0.0.1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::FFFF:7F00:0001]",
        "[0:0:0:0:0:ffff:127.0.0.1]", "[::ffff:10.0.0.1]", "[::ffff:0:127.0.0.1]",
        "[64:ff9b::7f00:1]", "[64:ff9b::169.254.169.254]", "[64:ff9b:1::7f00:1]", "[2002:7f00:1::]",
        "[2002:a9fe:a9fe::1]", "[2002:c0a8:1::1]", "[2001::1]", "[fc00::1]", "[fd00:ec2::254]",
        "[fe80::1]", "[fe80::1%25lo]", "[fe80::1%lo]", "[fec0::1]", "[ff02::1]", "[100::1]",
        "[2001:db8::1]", "user@127.0.0.1", "user:word@127.0.0.1", "example.com@127.0.0.1",
        "example.com:80@127.0.0.1", "127.0.0.1\\@example.com", "example.com\\@127.0.0.1",
        "127.0.0.1\t", "127.0.0.1\0.example.com", "127.0.0.1\r\n", "[::1].example.com",
        "[127.0.0.1]",
    ]

    @Test("a redirect leads to none of them either", arguments: hosts)
    func redirect(host: String) throws {
        let policy = AddressPolicy(ports: nil, permitsPlainHTTP: true)
        let base = try WebAddress("http://example.com/a")
        for location in ["http://\(host):9/", "//\(host):9/"] {
            guard let address = try? base.resolving(location), let literal = address.literal else {
                continue
            }
            #expect(address.host != base.host)
            #expect(policy.denial(of: literal, port: address.port) != nil)
        }
    }

    @Test("none of them opens a connection, and each has its reason", arguments: hosts)
    func denied(host: String) throws {
        let policy = AddressPolicy(ports: nil, permitsPlainHTTP: true)
        let permitted = Locked(0)
        defer { #expect(permitted.withLock { $0 } == 0) }
        do {
            let request = TransferRequest(try WebAddress("http://\(host):9/clip.mp4")) { ip, port in
                let isDenied = policy.denial(of: ip, port: port) != nil
                if !isDenied { permitted.withLock { $0 += 1 } }
                return !isDenied
            }
            _ = try Transfer().perform(request, onHead: { _ in false }, onBody: { _ in false })
            Issue.record("\(host) answered")
        } catch {
            switch error.kind {
            case .denied, .refused: break
            default: Issue.record("\(host): \(error)")
            }
        }
    }
}
