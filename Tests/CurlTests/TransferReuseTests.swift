import TakeupCurl
import Testing

/// Whatever a request ended with, the next one over the same transfer is as good as over a new one.
@Suite("Transfer after a failure")
struct TransferReuseTests {
    private static func answering() throws -> ScriptedServer {
        try ScriptedServer { connection in
            while let request = connection.readRequest() {
                if request.contains("/cut") {
                    connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello")
                    return
                }
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
        }
    }

    /// Ends the first request of a transfer in one way.
    enum Failure: CaseIterable {
        case noAddress, denied, badField, cut, cancelled, stoppedByCaller

        func happen(
            over transfer: Transfer, _ server: ScriptedServer
        ) throws -> CurlError.Kind? {
            let origin = "http://127.0.0.1:\(server.port)"
            switch self {
            case .noAddress:
                return try kind("http://nothing.invalid/", over: transfer)
            case .denied:
                return try kind(origin, over: transfer) { $0.mayConnect = { _, _ in false } }
            case .badField:
                return try kind(origin, over: transfer) { $0.fields = [.init("Host", "b")] }
            case .cut:
                return try kind("\(origin)/cut", over: transfer)
            case .cancelled:
                let cancellation = TransferCancellation()
                cancellation.cancel()
                return try kind(origin, over: transfer, cancellation)
            case .stoppedByCaller:
                let request = TransferRequest(try WebAddress(origin)) { _, _ in true }
                _ = try transfer.perform(request, onHead: { _ in false }, onBody: { _ in false })
                return nil
            }
        }

        private func kind(
            _ address: String, over transfer: Transfer,
            _ cancellation: TransferCancellation? = nil,
            _ change: (inout TransferRequest) -> Void = { _ in }
        ) throws -> CurlError.Kind? {
            var request = TransferRequest(try WebAddress(address)) { _, _ in true }
            change(&request)
            return try Fetched.kind {
                try Fetched(request, over: transfer, cancellation: cancellation)
            }
        }
    }

    @Test("the next request is not touched by how the last one ended", arguments: Failure.allCases)
    func goesOn(failure: Failure) throws {
        let server = try Self.answering()
        let transfer = try Transfer()
        for _ in 0..<3 {
            let kind = try failure.happen(over: transfer, server)
            #expect(kind != nil || failure == .stoppedByCaller)
            #expect(kind != .other)
            #expect(try Fetched("/a", from: server, over: transfer).text == "ok")
        }
    }

    @Test("the same failure is told as often as it happens")
    func tellsTheSame() throws {
        let transfer = try Transfer()
        for _ in 0..<3 {
            let request = TransferRequest(try WebAddress("http://nothing.invalid/")) { _, _ in true
            }
            #expect(try Fetched.kind { try Fetched(request, over: transfer) } == .resolve)
        }
    }

    @Test(
        "a host that cannot be found is named",
        arguments: [
            ("http://nothing.invalid:81/a", "nothing.invalid"), ("no address", "no address"),
        ])
    func unknownHost(subject: String, host: String) {
        let error = CurlError(.transfer, .resolve, code: 6, subject: subject)
        #expect("\(error)" == "cannot find the host \(host) (curl 6)")
    }

    @Test("every code of libcurl has words", arguments: 1...99)
    func words(code: Int32) {
        for operation in [CurlError.Operation.configure, .transfer, .start] {
            let error = CurlError(operation, .other, code: code, subject: "x")
            #expect(error.reason.hasPrefix("libcurl says: ") && error.reason.count > 20)
            #expect("\(error)".contains(error.reason))
        }
        let address = CurlError(.parse, .other, code: 3, subject: "x")
        #expect(address.reason != CurlError(.transfer, .other, code: 3, subject: "x").reason)
    }
}
