internal import Foundation

/// `openssl s_server` on loopback with a certificate of its own, which answers with a page.
public struct TLSServer: ~Copyable {
    public let port: UInt16
    private let folder: TemporaryDirectory
    private let process: Subprocess

    /// Whether the program is there.
    public static var isThere: Bool {
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
    ///   - hasEnded: Whether the certificate held once and holds no more.
    ///   - options: More of `s_server`'s own.
    /// - Returns: A server that listens.
    /// - Throws: `ToolFailure` when `openssl` refuses, `POSIXError` when it does not listen.
    public static func start(
        name: String = "IP:127.0.0.1", hasEnded: Bool = false, options: [String] = []
    ) throws -> TLSServer {
        let folder = try TemporaryDirectory()
        let port = try LoopbackListener { _ in }.port
        let (key, certificate) = (folder.file("key.pem"), folder.file("certificate.pem"))
        try certify(name, hasEnded: hasEnded, key, certificate, folder.file("request.pem"))
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
        _ name: String, hasEnded: Bool, _ key: String, _ certificate: String, _ request: String
    ) throws {
        let asking = [
            "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-keyout", key, "-out", request, "-subj", "/CN=origin", "-addext",
            "subjectAltName=\(name)",
        ]
        let signing = [
            "x509", "-req", "-in", request, "-key", key, "-copy_extensions", "copyall",
            "-out", certificate,
        ]
        _ = try Subprocess.run("openssl", asking).requireSuccess()
        guard hasEnded else {
            _ = try Subprocess.run("openssl", signing + ["-days", "2"]).requireSuccess()
            return
        }
        // OpenSSL 3.4 and later take dates, and no days before today; older ones the other way round.
        let dates = ["-not_before", "20200101000000Z", "-not_after", "20200102000000Z"]
        if try Subprocess.run("openssl", signing + dates).exitCode != 0 {
            _ = try Subprocess.run("openssl", signing + ["-days", "-1"]).requireSuccess()
        }
    }

    /// The certificate, for those who shall trust it.
    public var certificate: String { folder.file("certificate.pem") }
}
