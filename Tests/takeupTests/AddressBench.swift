import Foundation
import TakeupModel
import TestSupport
import Testing

@testable import takeup

/// Command lines on the addresses of an origin of the test's own.
final class AddressBench {
    static let network = "--allow-network 127.0.0.0/8"

    let bench: TestBench
    let origin: TestOrigin

    init() throws {
        (bench, origin) = (try TestBench(), try TestOrigin())
    }

    deinit { origin.stop() }

    /// Serves a clip under an address with a secret.
    func serve(
        _ path: String, _ bytes: [UInt8], _ change: (inout OriginObject) -> Void = { _ in }
    ) -> String {
        var object = OriginObject(.bytes(bytes))
        change(&object)
        origin.serve(path, object)
        return origin.url("\(path)?key=secret")
    }

    func run(_ line: String) async -> ExitCode {
        await bench.run("\(line) --cache cache")
    }

    /// Runs the program itself, where jobs are done in helpers.
    func program(_ line: String) throws -> Subprocess.Outcome {
        try start(line).wait()
    }

    func start(_ line: String) throws -> Subprocess {
        try Subprocess(
            BuiltProduct.path(of: "takeup"), line.split(separator: " ").map(String.init),
            environment: [
                "TAKEUP_CACHE": "\(bench.folder)/cache", "TAKEUP_HOME": "\(bench.folder)/home",
                "TAKEUP_ALLOW_NETWORK": "127.0.0.1,10.0.0.0/8",
            ], directory: bench.folder)
    }

    func file(_ name: String) -> String { "\(bench.folder)/\(name)" }

    /// A drawing in plain characters, whatever the locale of the tests.
    static func plain(_ drawing: String) -> String {
        drawing.replacing("┃", with: "|").replacing("▓", with: "#").replacing("·", with: ".")
    }

    func objects() throws -> [[String: Any]] {
        try bench.output.lines.map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }
}
