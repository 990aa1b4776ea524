import Foundation
import TakeupCurl
import TestSupport
import Testing

@testable import TakeupFetch

@Suite("Loader and redirects to forbidden addresses")
struct ForbiddenRedirectTests {
    /// Listens on every IPv4 address of this machine, and accepts nobody by itself.
    private struct Trap: ~Copyable {
        let port: UInt16
        private let descriptor: Int32

        init() throws {
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let descriptor = descriptor
            let isBound = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    bind(descriptor, address, size) == 0 && listen(descriptor, 128) == 0
                        && getsockname(descriptor, address, &size) == 0
                }
            }
            port = UInt16(bigEndian: address.sin_port)
            guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
        }

        deinit { close(descriptor) }

        /// How many have connected since the last look.
        borrowing func connections() -> Int {
            var count = 0
            while true {
                let next = accept(descriptor, nil, nil)
                guard next >= 0 else { return count }
                close(next)
                count += 1
            }
        }
    }

    /// Each means a machine that listens, and is not the one that is permitted.
    static let hosts = [
        "127.0.0.2", "127.0.0.2.", "127.2", "127.0.2", "2130706434", "0x7f000002", "0X7F.2",
        "017700000002", "0177.0.0.2", "127.0.0.0x2", "%31%32%37.0.0.2", "１２７.０.０.２",
        "127。0。0。2", "[::1]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.2]", "[::ffff:7f00:2]",
        "[::FFFF:7F00:0002]", "[::127.0.0.2]", "0.0.0.0", "0", "[::]",
        "user@127.0.0.2", "127.0.0.1:1@127.0.0.2", "127.0.0.1\\@127.0.0.2", "127.0.0.2#@127.0.0.1",
    ]

    @Test("none is connected to, whatever the status, and each is denied (S1)", arguments: hosts)
    func redirect(host: String) throws {
        let only = try #require(NetworkPrefix("127.0.0.1/32"))
        let trial = try LoaderTrial { $0.addressPolicy.permitted = [only] }
        let trap = try Trap()
        for status in [301, 302, 303, 307, 308] {
            let path = "/\(status).mp4"
            var object = OriginObject(LoaderTrial.content(1000))
            object.faults.redirect = OriginRedirect(
                .verbatim("http://\(host):\(trap.port)/a.mp4"), status: status)
            trial.origin.serve(path, object)
            let error = #expect(throws: FetchError.self) { try trial.loader(path).information() }
            #expect(error?.name == "denied", "\(String(describing: error))")
            #expect(trial.origin.requestCount(path) == 1)
        }
        #expect(trap.connections() == 0)
    }

    @Test("the trap springs for who may go there")
    func trap() throws {
        let trap = try Trap()
        let trial = try LoaderTrial { $0.limits.headSeconds = 0.2 }
        for host in ["127.0.0.2", "2130706434", "[::ffff:7f00:2]"] {
            var object = OriginObject(LoaderTrial.content(1000))
            object.faults.redirect = OriginRedirect(.verbatim("http://\(host):\(trap.port)/a.mp4"))
            trial.origin.serve("/a.mp4", object)
            let error = #expect(throws: FetchError.self) { try trial.loader().information() }
            #expect(error?.name == "unreachable")
            #expect(trap.connections() > 0)
        }
    }
}
