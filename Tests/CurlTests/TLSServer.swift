import Foundation
import TestSupport

/// `openssl s_server` on loopback with a certificate of its own, which answers with a page.
struct TLSServer: ~Copyable {
    let port: UInt16
    private let folder: TemporaryDirectory
    private let process: Subprocess

    /// Whether the program is there.
    static var isThere: Bool {
        (try? Subprocess.run("openssl", ["version"]).succeeded) == true
    }

    private init(port: UInt16, folder: consuming TemporaryDirectory, process: consuming Subprocess)
    {
        self.port = port
        self.folder = folder
        self.process = process
    }

    /// Starts it.
    ///
    /// - Parameters:
    ///   - name: The one that the certificate is for, as `IP:…` or `DNS:…`.
    ///   - days: How long the certificate holds from now; less than 0 when it held once.
    ///   - options: More of `s_server`'s own.
    /// - Returns: A server that listens.
    /// - Throws: `ToolFailure` when `openssl` refuses, `POSIXError` when it does not listen.
    static func start(
        name: String = "IP:127.0.0.1", days: Int = 2, options: [String] = []
    ) throws -> TLSServer {
        let folder = try TemporaryDirectory()
        let port = try ScriptedServer { _ in }.port
        let (key, certificate) = (folder.file("key.pem"), folder.file("certificate.pem"))
        try certify(name, days: days, key, certificate, folder.file("request.pem"))
        var process = try Subprocess(
            "openssl",
            [
                "s_server", "-accept", "127.0.0.1:\(port)", "-key", key, "-cert", certificate,
                "-www",
            ] + options)
        guard process.waitForOutput(containing: "ACCEPT") else {
            throw POSIXError(.EADDRNOTAVAIL)
        }
        return TLSServer(port: port, folder: folder, process: process)
    }

    private static func certify(
        _ name: String, days: Int, _ key: String, _ certificate: String, _ request: String
    ) throws {
        let asking = [
            "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-keyout", key, "-out", request, "-subj", "/CN=origin", "-addext",
            "subjectAltName=\(name)",
        ]
        let signing = [
            "x509", "-req", "-in", request, "-key", key, "-copy_extensions", "copyall", "-days",
            "\(days)", "-out", certificate,
        ]
        for arguments in [asking, signing] {
            _ = try Subprocess.run("openssl", arguments).requireSuccess()
        }
    }

    /// The certificate, for those who shall trust it.
    var certificate: String { folder.file("certificate.pem") }
}
