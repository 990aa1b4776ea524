internal import Foundation
internal import TakeupExport
internal import TakeupFiles
internal import TakeupLanes
internal import TakeupMediaClient
internal import TakeupProcess

/// Plans or performs one export inside a helper and tells about it.
struct HelperExport: Sendable {
    private let order: HelperOrder
    private let task: HelperRequest
    private let socket: MessageSocket

    init(_ order: HelperOrder, _ task: HelperRequest, _ socket: MessageSocket) {
        (self.order, self.task, self.socket) = (order, task, socket)
    }

    private func tell(_ message: HelperMessage) { order.tell(message, to: socket) }

    func export() async throws(HelperFailure) -> ExportReport {
        do throws(ExportError) {
            let assets = try order.assets(task.request.sources, task.files)
            if let fault = HelperFault(task) { try await cause(fault) }
            return try await export(assets)
        } catch {
            throw HelperFailure(error)
        }
    }

    /// Decides everything with each preset; a source that cannot be read is no matter of a preset.
    func plans(_ presets: [ExportPreset]) async throws(HelperFailure) -> [PlanAnswer] {
        do throws(ExportError) {
            let assets = try order.assets(task.request.sources, task.files)
            let beats = Task { await order.beat(assets, to: socket) }
            defer { beats.cancel() }
            if let fault = HelperFault(task) { try await cause(fault) }
            if presets.count > 1 { for asset in assets { _ = try await asset.inspect() } }
            var answers: [PlanAnswer] = []
            for preset in presets {
                let session = try session(assets, preset)
                do throws(ExportError) {
                    answers.append(.plan(try await session.foreseen()))
                } catch {
                    if error == .cancelled { throw error }
                    answers.append(.refused(error))
                }
            }
            return answers
        } catch {
            throw HelperFailure(error)
        }
    }

    private func session(
        _ assets: [Asset], _ preset: ExportPreset
    ) throws(ExportError) -> ExportSession {
        var request = task.request
        request.preset = preset
        let session = try ExportSession(request, assets: assets)
        order.cancellation.onCancel { session.cancel() }
        return session
    }

    private func export(_ assets: [Asset]) async throws(ExportError) -> ExportReport {
        let session = try session(assets, task.request.preset)
        let beats = Task { await order.beat(assets, to: socket) }
        defer { beats.cancel() }
        let states = session.states(updateInterval: .milliseconds(200))
        let reports = Task {
            for await case .exporting(let progress) in states { tell(.event(.progress(progress))) }
        }
        // Nothing about this export may be told after its end.
        do throws(ExportError) {
            let report = try await session.render { plan async throws(ExportError) in
                try await outputs(for: plan)
            }
            await reports.value
            return report
        } catch {
            await reports.value
            throw error
        }
    }

    /// Tells the plan, and waits for the files that it is written to.
    private func outputs(for plan: ExportPlan) async throws(ExportError) -> RenderedFiles {
        tell(.event(.planned(plan)))
        for warning in plan.warnings.prefix(100) { tell(.event(.warning(warning))) }
        for await files in order.outputs {
            guard let output = files.first else { break }
            let poster = task.poster.flatMap { format in
                files.dropFirst().first.map { (OpenFile($0, name: "the poster"), format) }
            }
            return RenderedFiles(
                output: OpenFile(output, name: task.request.output ?? ""), poster: poster)
        }
        if order.cancellation.isCancelled { throw .cancelled }
        throw .invalidRequest(reason: "it has no output", hint: "hand over a file")
    }

    /// A fault that a test asked for, which may want to see the output.
    private func cause(_ fault: HelperFault) async throws(ExportError) {
        var output: Int32?
        if fault == .probe { for await files in order.outputs { output = files.first } }
        try await fault.happen(order, output: output, outputName: task.request.output ?? "")
    }
}
