internal import Foundation
internal import TakeupExport
internal import TakeupLanes
internal import TakeupProcess

/// Performs one export inside a helper and tells about it.
struct HelperExport: Sendable {
    private let order: HelperOrder
    private let request: HelperRequest
    private let socket: MessageSocket

    init(_ order: HelperOrder, _ request: HelperRequest, _ socket: MessageSocket) {
        (self.order, self.request, self.socket) = (order, request, socket)
    }

    private func tell(_ message: HelperMessage) { order.tell(message, to: socket) }

    func export() async throws(FailureReport) -> ExportReport {
        if let fault = HelperFault(request) {
            try await fault.happen(order, outputName: request.outputName)
        }
        guard
            order.descriptors.count
                == request.sourceNames.count + request.remoteLengths.count + 1,
            let output = order.descriptors.last,
            request.sourceNames.count == 2 || !request.splitsVideoAndAudio
        else {
            throw FailureReport(
                ExportError.invalidRequest(
                    reason: "the files do not match their names", hint: "hand over one for each"))
        }
        do throws(ExportError) {
            return try await export(assets(), into: output)
        } catch {
            throw FailureReport(error)
        }
    }

    private func assets() throws(ExportError) -> [Asset] {
        var assets: [Asset] = []
        var descriptors = order.descriptors.makeIterator()
        for (place, name) in request.sourceNames.enumerated() {
            guard let descriptor = descriptors.next() else { break }
            guard let length = request.remoteLengths[place],
                let socket = descriptors.next()
            else {
                assets.append(try Asset(descriptor: descriptor, name: name))
                continue
            }
            let file = RemoteFile(
                descriptor: descriptor, socket: socket, name: name, byteCount: length)
            order.cancellation.onCancel { file.cancel() }
            assets.append(Asset(source: file, name: name))
        }
        return assets
    }

    private func export(
        _ assets: [Asset], into output: Int32
    ) async throws(ExportError) -> ExportReport {
        let session =
            request.splitsVideoAndAudio
            ? ExportSession(
                video: assets[0], audio: assets[1], preset: request.preset,
                settings: request.settings)
            : ExportSession(joining: assets, preset: request.preset, settings: request.settings)
        order.cancellation.onCancel { session.cancel() }
        let beats = Task { await beat(assets) }
        defer { beats.cancel() }
        let plan = try await session.plan()
        tell(
            .event(.planned(estimatedBytes: plan.estimatedBytes, duration: plan.duration)))
        for warning in plan.warnings.prefix(100) { tell(.event(.warning(warning))) }
        let states = session.states(updateInterval: .milliseconds(200))
        let reports = Task {
            for await case .exporting(let progress) in states { tell(.event(.progress(progress))) }
        }
        // Nothing about this export may be told after its end.
        do throws(ExportError) {
            let report = try await session.render(into: output, name: request.outputName)
            await reports.value
            return report
        } catch {
            await reports.value
            throw error
        }
    }

    /// Says that it advances while a source is read where no progress can be told, as in its inspection.
    private func beat(_ assets: [Asset]) async {
        var last: Int64 = -1
        while !Task.isCancelled {
            let read = assets.map(\.bytesRead).reduce(0, +)
            if read > last { tell(.beat) }
            last = read
            try? await Task.sleep(for: .seconds(1))
        }
    }
}
