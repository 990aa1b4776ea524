internal import CFuzzer
internal import Foundation
internal import TakeupCurl
internal import TakeupFetch

/// Reads any bytes as an address, the lines behind the first as references from it, addresses of hosts and networks.
///
/// What is read is written in one way only, leads to one place, and shows nothing that is secret.
@main
enum AddressFuzzer {
    private static let policy = AddressPolicy(ports: nil, permitsPlainHTTP: true)

    static func main() {
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        exit(
            LLVMFuzzerRunDriver(&count, &arguments) { bytes, count in
                AddressFuzzer.tryOut([UInt8](UnsafeBufferPointer(start: bytes, count: count)))
                return 0
            })
    }

    private static func tryOut(_ bytes: [UInt8]) {
        let lines = bytes.split(separator: 10, maxSplits: 8, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard let first = lines.first else { return }
        let base = try? WebAddress(first)
        if let base { check(base) }
        for line in lines {
            checkNumbers(line)
            guard let found = try? base?.resolving(line) else { continue }
            check(found)
            precondition((try? found.resolving(found.text)) == found, "leads elsewhere from itself")
        }
    }

    private static func check(_ address: WebAddress) {
        guard let again = try? WebAddress(address.text) else {
            preconditionFailure("a normal text is refused: \(address.text)")
        }
        precondition(again == address && again.text == address.text, "reads differently")
        precondition(address.text.utf8.count <= WebAddress.longestBytes, "too long")
        precondition(address.text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "not clean")
        precondition(!address.text.contains("#"), "a fragment")
        precondition(address.port > 0 && !address.host.isEmpty, "leads nowhere")
        precondition(address.path.hasPrefix("/"), "a path without a slash")
        let authority = address.text.dropFirst("\(address.scheme)://".count).prefix { $0 != "/" }
        precondition(!authority.contains("@"), "a user: \(authority)")
        precondition(address.hasSameOrigin(as: again), "no origin of its own")
        if let query = address.query, query.utf8.count > 8 {
            precondition(!address.redacted.hasSuffix(query), "a query is shown")
        }
        guard let literal = address.literal else { return }
        precondition(IPAddress("\(literal)") == literal, "an address reads differently")
        let denial = policy.denial(of: literal, port: address.port)
        let isLoopback = literal.bytes.first == 127 && literal.bytes.count == 4
        precondition(!isLoopback || denial != nil, "loopback is permitted")
    }

    private static func checkNumbers(_ line: String) {
        if let address = IPAddress(line) {
            precondition(IPAddress("\(address)") == address, "\(address) reads differently")
        }
        if let prefix = NetworkPrefix(line) {
            precondition(NetworkPrefix("\(prefix)") == prefix, "\(prefix) reads differently")
        }
    }
}
