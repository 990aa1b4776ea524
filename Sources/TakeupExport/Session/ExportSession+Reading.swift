internal import TakeupLanes
internal import TakeupTimeline

extension ExportSession {
    /// Finds where pictures begin, by reading packets.
    func snap(
        _ plan: ExportPlan, _ range: TimeRange, _ inputs: RunInputs
    ) async throws(ExportError) -> TimeRange? {
        let snapper = CutSnapper(inputs: inputs, cancellation: cancellation)
        return try await reading { () throws(ExportError) in try snapper.snapped(plan, range) }
    }

    /// Finds out which packets can be copied, by reading packets.
    func seams(
        _ wish: SeamWish, _ inputs: RunInputs
    ) async throws(ExportError) -> [SegmentSeams] {
        let scanner = SeamScanner(inputs: inputs, cancellation: cancellation)
        return try await reading { () throws(ExportError) in try scanner.seams(wish) }
    }

    /// Reads sources on the session's lane.
    func reading<Value: Sendable>(
        _ body: @escaping @Sendable () throws(ExportError) -> Value
    ) async throws(ExportError) -> Value {
        do {
            return try await withTaskCancellationHandler { [lane] in
                try await lane.run { try body() }
            } onCancel: { [cancellation] in
                cancellation.cancel()
            }
        } catch let error as ExportError {
            throw error
        } catch {
            throw .cancelled
        }
    }
}
