internal import TakeupLanes
internal import TakeupModel
internal import TakeupTimeline

extension Verification {
    /// Decodes every track of a file completely and searches for losses like an export does.
    ///
    /// - Throws: `ExportError` with `.inputMissing`, `.inputUnreadable`, `.inputNotPermitted`,
    ///   `.notMedia`, `.unsupported` for too many parts, or `.cancelled` if the task was cancelled.
    public static func decodeWhole(_ path: String) async throws(ExportError) -> Verification {
        try await decodeWhole(Asset(path: path))
    }

    /// Decodes every track of an asset completely and searches for losses.
    public static func decodeWhole(_ asset: Asset) async throws(ExportError) -> Verification {
        let cancellation = Cancellation()
        let lane = Lane("takeup.verify")
        do {
            return try await withTaskCancellationHandler {
                try await lane.run {
                    let opened = try asset.open()
                    var found = try WholeDecode(opened: opened, cancellation: cancellation)
                        .runParts()
                    try found.add(AssetInspector(opened: opened, cancellation: cancellation))
                    return found
                }
            } onCancel: {
                cancellation.cancel()
            }
        } catch let error as ExportError {
            throw error
        } catch {
            throw .cancelled
        }
    }
}

extension Verification {
    /// Adds the losses that the source's container shows.
    ///
    /// - Throws: `.cancelled`. Other inspection errors are ignored, because the source was decoded
    ///   anyway.
    fileprivate mutating func add(_ inspector: AssetInspector) throws(ExportError) {
        let parts: [InspectedAsset]
        do throws(ExportError) {
            parts = try inspector.inspect().parts.map(\.asset)
        } catch {
            if error == .cancelled { throw error }
            return
        }
        let losses = parts.compactMap(\.description.loss)
        let holes = parts.flatMap(\.description.warnings).filter { $0.code == "sourceHole" }
        problems =
            losses.map { "it \(Failure.incomplete($0))" } + holes.map(\.message) + problems
        let absent = parts.compactMap { $0.absent?.lostSeconds }.reduce(.zero, +)
        let lost = losses.map(\.lostSeconds).reduce(.zero, +)
        lostSeconds = max(lostSeconds + absent, lost)
    }

    /// Joins the results of consecutive parts; if there are several, each problem names its part.
    init(parts: [Verification], mostProblems: Int) {
        let problems = parts.enumerated().flatMap { place, part in
            part.problems.map {
                parts.count > 1 ? "part \(place + 1) of \(parts.count): \($0)" : $0
            }
        }
        self.init(
            duration: parts.map(\.duration).reduce(.zero, +),
            frames: parts.map(\.frames).reduce(0, +),
            problems: Array(problems.prefix(mostProblems)),
            lostSeconds: parts.map(\.lostSeconds).reduce(.zero, +),
            trackProblems: parts.count == 1 ? parts[0].trackProblems : [:],
            generalProblems: parts.count == 1 ? parts[0].generalProblems : [])
    }
}
