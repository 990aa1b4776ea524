import Foundation
import TestSupport

/// What did not happen in a browser, or in what a browser needs.
struct BrowserFault: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Headless Chromium, driven by the WebDriver protocol; all of it is killed with the value.
final class Browser {
    /// How a page is shown.
    struct Screen {
        var width = 1280
        var height = 900
        var isDark = false
    }

    static let isInstalled = ["chromium", "chromedriver", "curl"].allSatisfy { name in
        // Not yet steady beside other tests: asked for.
        guard ProcessInfo.processInfo.environment["TAKEUP_BROWSER"] != nil else { return false }
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        return folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
    }
    static let needs =
        "TAKEUP_BROWSER is set; chromium, chromedriver and curl are installed (scripts/setup does it)"

    private static let startSeconds = 15.0
    private static let commandSeconds = 15
    /// How long a page may take for what a test waits for.
    private static let waitMilliseconds = 12_000

    private let folder: TemporaryDirectory
    private var driver: Subprocess
    private let address: String
    private var session = ""

    init(_ screen: Screen = Screen()) throws {
        folder = try TemporaryDirectory()
        let port = try LoopbackListener { _ in }.port
        address = "http://127.0.0.1:\(port)"
        driver = try Subprocess("chromedriver", ["--port=\(port)"])
        guard driver.waitForOutput(containing: "successfully", timeoutSeconds: Self.startSeconds)
        else { throw BrowserFault("chromedriver does not start") }
        let arguments = [
            "--headless=new", "--no-sandbox", "--no-zygote", "--disable-gpu",
            "--disable-dev-shm-usage", "--user-data-dir=\(folder.path)/profile",
            "--autoplay-policy=no-user-gesture-required", "--hide-scrollbars",
        ]
        let answer = try command(
            "POST", "/session",
            [
                "capabilities": [
                    "alwaysMatch": [
                        "goog:chromeOptions": ["args": arguments],
                        "goog:loggingPrefs": ["browser": "ALL"],
                    ]
                ]
            ])
        guard let made = (answer as? [String: Any])?["sessionId"] as? String else {
            throw BrowserFault("chromedriver makes no session: \(answer)")
        }
        session = "/session/\(made)"
        try show(screen)
    }

    deinit {
        driver.signal(SIGKILL)
        killBrowser()
    }

    /// Sets the size of the page and the theme that the system asks for.
    func show(_ screen: Screen) throws {
        try devTools(
            "Emulation.setDeviceMetricsOverride",
            [
                "width": screen.width, "height": screen.height, "deviceScaleFactor": 1,
                "mobile": screen.width < 600,
            ])
        let theme = ["name": "prefers-color-scheme", "value": screen.isDark ? "dark" : "light"]
        try devTools("Emulation.setEmulatedMedia", ["features": [theme]])
    }

    func open(_ url: String) throws {
        _ = try command("POST", "\(session)/url", ["url": url])
    }

    /// Runs the body of a function in the page.
    @discardableResult
    func run(_ script: String) throws -> Any {
        try command("POST", "\(session)/execute/sync", ["script": script, "args": [Any]()])
    }

    /// Waits in the page until an expression has a true value.
    ///
    /// - Throws: `BrowserFault` with the expression and the page's text once the time is over.
    @discardableResult
    func wait(for expression: String) throws -> Any {
        let script = """
            const done = arguments[0], end = performance.now() + \(Self.waitMilliseconds);
            const look = () => {
                let value = null;
                try { value = \(expression); } catch {}
                if (value || performance.now() > end) done(value || null);
                else setTimeout(look, 30);
            };
            look();
            """
        let value = try command(
            "POST", "\(session)/execute/async", ["script": script, "args": [Any]()])
        guard !(value is NSNull) else {
            let text = try run("return document.body.innerText.slice(0, 1500)")
            throw BrowserFault("the page never has \(expression); it shows \(text)")
        }
        return value
    }

    /// Clicks with the mouse, where the page has the element; again if the page replaces it at that moment.
    func click(_ selector: String) throws {
        for isLast in [false, false, true] {
            do {
                _ = try command("POST", "\(try element(selector))/click", [:])
                return
            } catch let fault as BrowserFault {
                if isLast || !fault.description.contains("stale element") { throw fault }
            }
        }
    }

    /// Types into an element; for a file input, the path of a file.
    func type(_ text: String, into selector: String) throws {
        _ = try command("POST", "\(try element(selector))/value", ["text": text])
    }

    /// Presses a key where the focus is.
    func press(_ key: String) throws {
        let strokes = [["type": "keyDown", "value": key], ["type": "keyUp", "value": key]]
        let keyboard: [String: Any] = ["type": "key", "id": "keys", "actions": strokes]
        _ = try command("POST", "\(session)/actions", ["actions": [keyboard]])
    }

    /// The errors that the page's console has had since the last call.
    func consoleErrors() throws -> [String] {
        let lines = try command("POST", "\(session)/se/log", ["type": "browser"])
        return (lines as? [[String: Any]] ?? []).compactMap { line in
            line["level"] as? String == "SEVERE" ? line["message"] as? String : nil
        }
    }

    private func element(_ selector: String) throws -> String {
        let found = try command(
            "POST", "\(session)/element", ["using": "css selector", "value": selector])
        guard let id = (found as? [String: String])?.values.first else {
            throw BrowserFault("the page has no \(selector)")
        }
        return "\(session)/element/\(id)"
    }

    private func devTools(_ name: String, _ parameters: [String: Any]) throws {
        _ = try command(
            "POST", "\(session)/goog/cdp/execute", ["cmd": name, "params": parameters])
    }

    private func command(_ method: String, _ path: String, _ body: [String: Any]) throws -> Any {
        let json = try JSONSerialization.data(withJSONObject: body)
        let outcome = try Subprocess.run(
            "curl",
            [
                "-sS", "--max-time", "\(Self.commandSeconds)", "-X", method,
                "-H", "Content-Type: application/json",
                "--data-binary", String(decoding: json, as: UTF8.self), address + path,
            ]
        ).requireSuccess()
        let answer = try JSONSerialization.jsonObject(with: outcome.standardOutput)
        guard let value = (answer as? [String: Any])?["value"] else {
            throw BrowserFault("chromedriver answers \(outcome.outputText.prefix(500))")
        }
        if let fault = value as? [String: Any], let message = fault["message"] as? String,
            fault["error"] != nil
        {
            throw BrowserFault("\(path): \(message.prefix(800))")
        }
        return value
    }

    /// Chromium leaves its driver's group: its processes are known by the profile's folder.
    private func killBrowser() {
        let mark = Data("\(folder.path)/profile".utf8)
        for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? [] {
            guard let process = pid_t(name), process > 1,
                let line = FileManager.default.contents(atPath: "/proc/\(name)/cmdline"),
                line.range(of: mark) != nil
            else { continue }
            kill(process, SIGKILL)
        }
    }
}
