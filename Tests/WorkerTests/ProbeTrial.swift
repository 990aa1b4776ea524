import Foundation
import TestSupport
import Testing

@testable import TakeupMedia
@testable import TakeupMediaClient
@testable import TakeupWorker

/// Looks into files through a helper.
final class ProbeTrial {
    let directory: TemporaryDirectory
    let probe: MediaProbe

    init(
        _ limits: MediaProbe.Limits? = nil, now: @escaping () -> ContinuousClock.Instant = { .now },
        change: (inout HelperConfiguration) -> Void = { _ in }
    ) throws {
        directory = try TemporaryDirectory()
        var configuration = HelperConfiguration()
        configuration.executable = try BuiltProduct.path(of: "takeup-media")
        configuration.environment = [HelperCommand.faults: "1"]
        configuration.scratchParent = directory.file(".")
        change(&configuration)
        // Far more than any of the clips takes, however busy the machine is.
        var generous = MediaProbe.Limits()
        generous.seconds = 120
        probe = MediaProbe(configuration, limits: limits ?? generous, now: now)
    }

    func facts(
        _ path: String, fault: HelperFault? = nil, isStopped: () -> Bool = { false }
    ) throws -> MediaFacts {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        try #require(file >= 0)
        defer { close(file) }
        let name = fault?.text ?? path
        return try probe.facts(of: file, name: name, isStopped: isStopped)
    }

    func error(_ path: String, fault: HelperFault? = nil) -> MediaProbeError? {
        do {
            _ = try facts(path, fault: fault)
            return nil
        } catch {
            return error as? MediaProbeError
        }
    }

    /// A file of this trial's own.
    func file(_ name: String, _ bytes: Data) throws -> String {
        let path = directory.file(name)
        try bytes.write(to: URL(filePath: path))
        return path
    }

    static func cut(_ clip: Clip, percent: Int, _ name: String) throws -> String {
        try clip.truncated(toBytes: clip.bytes().count * percent / 100, as: name).path
    }
}
