internal import Foundation
internal import TakeupExport
internal import TakeupMediaClient
internal import TakeupProcess

/// Looks into one source inside a helper.
struct HelperProbe: Sendable {
    /// Sources from this size on are glanced at first: reading one to its end may take longer than there is time.
    private static let glanceBytes: Int64 = 256 << 20

    private let order: HelperOrder
    private let name: String
    private let socket: MessageSocket

    init(_ order: HelperOrder, _ name: String, _ socket: MessageSocket) {
        (self.order, self.name, self.socket) = (order, name, socket)
    }

    func facts() async throws(HelperFailure) -> MediaFacts {
        guard let descriptor = order.descriptors.first else {
            throw HelperFailure(
                ExportError.invalidRequest(reason: "no file to look into", hint: "hand over one"))
        }
        let asset: Asset
        do throws(ExportError) {
            asset = try Asset(descriptor: descriptor, name: name)
        } catch {
            throw HelperFailure(error)
        }
        await glance(asset, descriptor)
        do throws(ExportError) {
            if let fault = HelperFault(asked: name) { try await fault.happen(order) }
            return try await facts(of: asset)
        } catch {
            throw HelperFailure(error)
        }
    }

    /// What fails here fails again in the look at the whole, which tells why.
    private func glance(_ asset: Asset, _ descriptor: Int32) async {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_size >= Self.glanceBytes,
            let found = try? await asset.glance()
        else { return }
        var facts = MediaFacts(found)
        facts.isChecked = false
        order.tell(.glanced(facts), to: socket)
    }

    private func facts(of asset: Asset) async throws(ExportError) -> MediaFacts {
        do throws(ExportError) {
            return MediaFacts(try await asset.inspect())
        } catch {
            guard case .notMedia = error, let reason = try await asset.unfinishedReason() else {
                throw error
            }
            var facts = MediaFacts()
            facts.cutShort = reason
            return facts.bounded
        }
    }
}
