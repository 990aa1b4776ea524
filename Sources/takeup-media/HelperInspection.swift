internal import TakeupExport
internal import TakeupLanes
internal import TakeupMediaClient
internal import TakeupProcess

/// Looks into one source inside a helper, or decodes it whole.
struct HelperInspection: Sendable {
    private let order: HelperOrder
    private let name: String
    private let remoteLength: Int64?
    private let socket: MessageSocket

    init(
        _ order: HelperOrder, _ name: String, _ remoteLength: Int64?, _ socket: MessageSocket
    ) {
        (self.order, self.name, self.socket) = (order, name, socket)
        self.remoteLength = remoteLength
    }

    func description() async throws(HelperFailure) -> AssetDescription {
        try await look { asset async throws(ExportError) in try await asset.inspect() }
    }

    func decoded() async throws(HelperFailure) -> Verification {
        try await look { asset async throws(ExportError) in
            try await Verification.decodeWhole(asset)
        }
    }

    private func look<Found: Sendable>(
        _ body: @escaping @Sendable (Asset) async throws(ExportError) -> Found
    ) async throws(HelperFailure) -> Found {
        do throws(ExportError) {
            let files = HelperFiles(
                places: [0], remoteLengths: remoteLength.map { [0: $0] } ?? [:])
            let asset = try order.assets([name], files)[0]
            if let fault = HelperFault(asked: name) { try await fault.happen(order) }
            let beats = Task { await order.beat([asset], to: socket) }
            defer { beats.cancel() }
            return try await cancellable { () async throws(ExportError) in try await body(asset) }
        } catch {
            throw HelperFailure(error)
        }
    }

    /// Inspection is cancelled with the task that it runs in.
    private func cancellable<Found: Sendable>(
        _ body: @escaping @Sendable () async throws(ExportError) -> Found
    ) async throws(ExportError) -> Found {
        let work = Task { () async -> Result<Found, ExportError> in
            do throws(ExportError) { return .success(try await body()) } catch {
                return .failure(error)
            }
        }
        order.cancellation.onCancel { work.cancel() }
        return try await work.value.get()
    }
}
