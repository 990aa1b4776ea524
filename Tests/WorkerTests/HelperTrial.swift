import Foundation
import TakeupExport
import TakeupProcess
import TestSupport
import Testing

@testable import TakeupMedia
@testable import TakeupMediaClient
@testable import TakeupWorker

/// Exports through a helper into a file of its own.
final class HelperTrial {
    let directory: TemporaryDirectory
    let helper: ExportHelper

    init(_ change: (inout HelperConfiguration) -> Void = { _ in }) throws {
        directory = try TemporaryDirectory()
        var configuration = HelperConfiguration()
        configuration.executable = try BuiltProduct.path(of: "takeup-media")
        configuration.environment = [HelperCommand.faults: "1"]
        configuration.scratchParent = directory.file(".")
        change(&configuration)
        helper = ExportHelper(configuration)
    }

    var output: String { directory.file("out.mp4") }

    static func preset(_ name: String = "medium", speed: String = "ultrafast") throws
        -> ExportPreset
    {
        var preset = try ExportPreset.named(name)
        preset.video?.speed = speed
        return preset
    }

    func run(
        _ source: String, preset: ExportPreset? = nil, settings: ExportSettings = .init(),
        fault: HelperFault? = nil, isStopped: @escaping () -> Bool = { false },
        onEvent: @escaping (HelperEvent) -> Void = { _ in }
    ) throws -> HelperRun {
        let input = open(source, O_RDONLY | O_CLOEXEC)
        let file = open(output, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        try #require(input >= 0 && file >= 0)
        defer {
            close(input)
            close(file)
        }
        var settings = settings
        if let fault { settings.metadata[HelperFault.key] = fault.text }
        let request = HelperRequest(
            ExportRequest(
                Composition(joining: [source]), preset: try preset ?? Self.preset(),
                output: output, settings: settings),
            sourceNames: [source])
        return try helper.run(
            request, (sources: [input], output: file), isStopped: isStopped, onEvent: onEvent)
    }

    /// Exports in this process, for comparison.
    func direct(
        _ source: String, preset: ExportPreset? = nil, settings: ExportSettings = .init()
    ) async throws -> ExportReport {
        let session = ExportSession(
            asset: Asset(path: source), preset: try preset ?? Self.preset(), settings: settings)
        return try await session.export(to: directory.file("direct.mp4"))
    }
}

extension HelperOutcome {
    var crash: HelperCrash? {
        if case .crashed(let crash) = self { crash } else { nil }
    }
}

extension HelperRun {
    /// What could not be enforced; a sanitizer has reserved more memory than any limit allows.
    var unexpectedGaps: [String] { sandbox.gaps.filter { !$0.hasPrefix("memory: ") } }
}
