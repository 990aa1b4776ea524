import Foundation
import TestSupport

/// The built program as a server on a free port, with a home of its own.
final class ServeBench {
    /// Where it listens.
    let url: String
    let folder: String
    private let home: String
    private let cache: String
    private let own: TestBench?
    private var server: Subprocess?

    init(
        _ words: [String] = [], home: String? = nil, cache: String? = nil, in folder: String? = nil,
        wrapper: String = "exec", environment: [String: String] = [:]
    ) throws {
        let own = folder == nil ? try TestBench() : nil
        let place = folder ?? own?.folder ?? "/nowhere"
        (self.own, self.folder) = (own, place)
        (self.home, self.cache) = (home ?? "\(place)/home", cache ?? "\(place)/cache")
        let listen = words.contains("--listen") ? [] : ["--listen", "127.0.0.1:0"]
        var server = try Subprocess(
            "/bin/sh",
            ["-c", "\(wrapper) \"$@\"", "sh", try BuiltProduct.path(of: "takeup"), "serve"]
                + listen + words,
            environment: ["TAKEUP_HOME": self.home, "TAKEUP_CACHE": self.cache]
                .merging(environment) { $1 },
            directory: place)
        let isReady = server.waitForOutput(containing: "ready: ", timeoutSeconds: 60)
        let after = server.outputSoFar.components(separatedBy: "ready: ").last ?? ""
        url = String(after.prefix { $0 != "," && $0 != "\n" })
        guard isReady else {
            throw ServeBenchError(words: "no server: \(server.wait(timeoutSeconds: 1).errorText)")
        }
        self.server = consume server
    }

    func file(_ name: String) -> String { "\(folder)/\(name)" }

    func curl(_ arguments: [String]) throws -> Subprocess.Outcome {
        try Subprocess.run("curl", ["-sS", "-m", "60"] + arguments, timeoutSeconds: 90)
    }

    /// Sends JSON to a path, and returns the status and the body.
    func ask(
        _ method: String, _ path: String, _ json: String? = nil, fields: [String] = []
    ) throws -> (status: Int, body: String) {
        var arguments = ["-X", method, "-w", "\n%{http_code}"] + fields.flatMap { ["-H", $0] }
        if let json { arguments += ["-H", "Content-Type: application/json", "-d", json] }
        let text = try curl(arguments + ["\(url)\(path)"]).outputText
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return (Int(lines.last ?? "") ?? 0, lines.dropLast().joined(separator: "\n"))
    }

    /// The program beside the server, on the server's own database.
    func local(_ words: [String]) throws -> Subprocess.Outcome {
        try run(words, ["TAKEUP_HOME": home, "TAKEUP_CACHE": cache])
    }

    /// The program as a client: with no database to look into by mistake.
    func client(
        _ words: [String], environment: [String: String] = [:]
    ) throws -> Subprocess.Outcome {
        let own = [
            "TAKEUP_HOME": "/nonexistent/home", "TAKEUP_CACHE": "/nonexistent/cache",
            "TAKEUP_SERVER": url,
        ]
        return try run(words, own.merging(environment) { $1 })
    }

    private func run(
        _ words: [String], _ environment: [String: String]
    ) throws -> Subprocess.Outcome {
        try Subprocess.run(
            BuiltProduct.path(of: "takeup"), words, environment: environment, directory: folder,
            timeoutSeconds: 120)
    }

    func signal(_ number: Int32) { server?.signal(number) }

    /// Reads what the server says until a text is in it.
    func waitForOutput(containing text: String) -> Bool {
        server?.waitForOutput(containing: text, timeoutSeconds: 60) ?? false
    }

    /// Ends it, and returns how that went.
    func stop(_ number: Int32 = SIGTERM) -> Subprocess.Outcome {
        signal(number)
        return end()
    }

    /// Waits for its end.
    func end() -> Subprocess.Outcome {
        guard let server = server.take() else { preconditionFailure("it was ended before") }
        return server.wait(timeoutSeconds: 90)
    }
}

struct ServeBenchError: Error, CustomStringConvertible {
    let words: String
    var description: String { words }
}
