import Foundation
import TestSupport

/// A server of a test's own, its browser, and an origin for sources.
final class DashboardBench {
    let browser: Browser
    let origin: TestOrigin
    let url: String
    /// A folder whose files jobs may name.
    let media: String
    private let folder: TemporaryDirectory
    private var server: Subprocess

    /// Starts the server with some options besides its place, and with the lines of a token file.
    init(
        _ options: [String] = [], tokens: String? = nil, screen: Browser.Screen = .init()
    ) throws {
        folder = try TemporaryDirectory()
        origin = try TestOrigin()
        let port = try LoopbackListener { _ in }.port
        url = "http://127.0.0.1:\(port)"
        media = try folder.write(Data(), to: "media/.here").replacing("/.here", with: "")
        var arguments = ["serve", "--listen", "127.0.0.1:\(port)", "--allow-path", media]
        arguments += options
        if let tokens {
            let path = try folder.write(Data(tokens.utf8), to: "tokens")
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
            arguments += ["--token-file", path]
        }
        server = try Subprocess(
            "timeout", ["\(Browser.longestSeconds)", BuiltProduct.path(of: "takeup")] + arguments,
            environment: [
                "TAKEUP_HOME": folder.file("home"), "TAKEUP_CACHE": folder.file("cache"),
                "TAKEUP_ALLOW_NETWORK": "127.0.0.0/8",
            ])
        guard server.waitForOutput(containing: "ready:", timeoutSeconds: 15) else {
            throw BrowserFault("the server is not ready")
        }
        browser = try Browser(screen)
    }

    deinit { origin.stop() }

    /// Opens the page and waits for its list.
    func openPage() throws {
        try browser.open("\(url)/")
        try browser.wait(
            for: "document.querySelector('#jobs').getAttribute('aria-busy') === 'false'")
    }

    /// Serves a clip under an address.
    func source(_ path: String, _ faults: OriginFaults = .init(), seconds: Int = 2) throws -> String
    {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: Clip.base(seconds: seconds).path))
        origin.serve(path, OriginObject(.bytes([UInt8](bytes)), faults: faults))
        return origin.url(path)
    }

    /// Opens the page and signs in with a token.
    func signIn(_ token: String) throws {
        try browser.open("\(url)/")
        try browser.wait(for: "document.querySelector('#session').open")
        try browser.type(token, into: "#token")
        try browser.press("\u{E007}")
        try browser.wait(for: "document.querySelector('#link').innerText === 'Live'")
        try browser.wait(
            for: "document.querySelector('#jobs').getAttribute('aria-busy') === 'false'")
    }

    /// Sends a document to the API, as another program does.
    @discardableResult
    func post(_ path: String, _ document: Any, token: String = "none") throws -> Any {
        let body = folder.file("body.json")
        try JSONSerialization.data(withJSONObject: document).write(to: URL(fileURLWithPath: body))
        let outcome = try Subprocess.run(
            "curl",
            [
                "-sS", "--fail-with-body", "-H", "Content-Type: application/json",
                "-H", "Authorization: Bearer \(token)", "--data-binary", "@\(body)",
                "\(url)\(path)",
            ], timeoutSeconds: 15
        ).requireSuccess()
        return try JSONSerialization.jsonObject(with: outcome.standardOutput)
    }
}
