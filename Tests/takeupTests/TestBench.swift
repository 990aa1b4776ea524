import Foundation
import TakeupLanes
import TakeupMediaClient
import TakeupModel
import TestSupport

@testable import TakeupModel
@testable import takeup

extension Engine {
    /// With the program that was built beside the tests.
    static var built: Engine {
        var configuration = HelperConfiguration.foreground
        configuration.executable = (try? BuiltProduct.path(of: "takeup-media")) ?? "not built"
        return .live(configuration)
    }
}

/// A context whose streams are recorded and whose folder is its own.
final class TestBench: Sendable {
    let output = RecordingSink()
    let diagnostics = RecordingSink()
    let left = Locked<[Int32]>([])
    let folder: String

    init() throws {
        folder = NSTemporaryDirectory() + "takeup-cli-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    func context(
        environment: [String: String] = [:], engine: Engine = .built
    ) -> CommandContext {
        CommandContext(
            output: output, diagnostics: diagnostics, environment: environment,
            directory: folder, now: { 0 },
            interrupts: Interrupts { [left] code in left.withLock { $0.append(code) } },
            engine: engine)
    }

    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        let path = "\(folder)/\(name)"
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }

    func run(_ line: String, engine: Engine = .built) async -> ExitCode {
        await Program.run(
            line.split(separator: " ").map(String.init), in: context(engine: engine))
    }
}
