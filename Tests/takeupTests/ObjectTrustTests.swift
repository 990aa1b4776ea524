import TestSupport
import Testing

/// Sources in an object store with a certificate of its own authority.
@Suite("Trust in an object store", .enabled(if: TLSServer.isThere, "needs openssl"))
struct ObjectTrustTests {
    @Test("a source is read with the certificates of AWS_CA_BUNDLE, and not without")
    func source() throws {
        let server = try TLSServer.start()
        let folder = try TemporaryDirectory()
        func probe(_ changes: [String: String]) throws -> Subprocess.Outcome {
            var environment = [
                "HOME": folder.path, "TAKEUP_HOME": folder.file("home"),
                "TAKEUP_CACHE": folder.file("cache"),
                "AWS_ENDPOINT_URL": "https://127.0.0.1:\(server.port)",
                "AWS_ACCESS_KEY_ID": S3Server.accessKey,
                "AWS_SECRET_ACCESS_KEY": S3Server.secretKey,
            ]
            environment.merge(changes) { $1 }
            return try Subprocess.run(
                BuiltProduct.path(of: "takeup"),
                ["probe", "s3://films/clip.mov", "--allow-network", "127.0.0.1/32"],
                environment: environment, directory: folder.path, timeoutSeconds: 120)
        }
        // What it answers is a page, and no media.
        let trusted = try probe(["AWS_CA_BUNDLE": server.certificate])
        #expect(trusted.exitCode == 65, "\(trusted.errorText)")
        let stranger = try probe([:])
        #expect(stranger.exitCode == 75, "\(stranger.errorText)")
        #expect(stranger.errorText.contains("no trusted connection"), "\(stranger.errorText)")
        #expect(stranger.errorText.contains("the server's certificate"), "\(stranger.errorText)")
    }
}
