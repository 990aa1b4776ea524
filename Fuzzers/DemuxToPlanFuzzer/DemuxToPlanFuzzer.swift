internal import CFuzzer
internal import Foundation
internal import TakeupFFmpeg
internal import TakeupLanes
internal import TakeupTelemetry
internal import TakeupTimeline

@testable import TakeupExport

/// Feeds any bytes to the way from the container to the plan and a little beyond it.
///
/// They are inspected, planned with a preset that encodes and one that copies, and the first packets of
/// every planned track are read, decoded and given their times in the output.
@main
enum DemuxToPlanFuzzer {
    private static let presets = ["1280x720", "passthrough"].compactMap {
        try? ExportPreset.named($0)
    }

    static func main() {
        LogBridge.install(.silent)
        precondition(presets.count == 2, "the shipped presets are missing")
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        exit(
            LLVMFuzzerRunDriver(&count, &arguments) { bytes, count in
                DemuxToPlanFuzzer.tryOut(Array(UnsafeBufferPointer(start: bytes, count: count)))
                return 0
            })
    }

    private static func tryOut(_ bytes: [UInt8]) {
        // Large pictures only make FFmpeg slow; what is searched for does not depend on their size.
        var limits = InputLimits.standard
        limits.pixels = 1 << 21
        limits.indexBytes = 16 << 20
        let opened = OpenedSource(
            source: MemorySource(bytes: bytes), name: "fuzz", limits: limits)
        let inspector = AssetInspector(opened: opened, cancellation: Cancellation())
        guard let asset = try? inspector.inspect() else { return }
        precondition(asset.description.duration >= .zero, "a source lasts less than nothing")
        // Which preset and range is left to the bytes: all of them for each input would take too long.
        let choice = bytes.reduce(0) { $0 ^ $1 }
        var planner = ExportPlanner(
            assets: [asset], clips: [Clip(videoSource: 0, audioSource: 0)],
            preset: presets[Int(choice & 1)], settings: choice & 2 == 0 ? whole : cut)
        guard let plan = try? planner.plan() else { return }
        precondition(!plan.description.isEmpty, "a plan decides nothing")
        PlanWalker(opened: opened, asset: asset, plan: plan, limits: limits).walk()
    }

    private static let whole = ExportSettings()

    private static var cut: ExportSettings {
        var settings = ExportSettings()
        settings.timeRange = TimeRange(start: 0.1, duration: 0.2)
        return settings
    }
}
