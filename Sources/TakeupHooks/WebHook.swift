package import TakeupCurl
internal import TakeupFetch
internal import TakeupFields
internal import TakeupLanes
package import TakeupWatch

/// A hook that is an address: it takes a POST of the event and answers with a status of 2xx.
///
/// Confined to one lane. Its reasons never hold the address, whose path may be a secret. The form of the headers is that of Standard Webhooks, for which receivers have libraries.
/// - Note: Source: standard-webhooks, spec/standard-webhooks.md, 1.0.0.
package final class WebHook {
    /// Limit of the answer's body, which Takeup ignores; a longer body ends the connection.
    private static let answerBytes: Int64 = 64 << 10
    private static let connectSeconds = 10.0
    private static let gone = 410

    private let address: WebAddress
    private let secretFile: String?
    private let timeoutSeconds: Double
    private let now: () -> Double
    private let transfer: Transfer

    /// - Parameters:
    ///   - url: Where events go.
    ///   - secretFile: With the key that signs them; read at each try.
    ///   - timeoutSeconds: For one try.
    ///   - now: Seconds since 1970.
    /// - Throws: `CurlError` for an address that cannot be used.
    package init(
        _ url: String, secretFile: String?, timeoutSeconds: Double, now: @escaping () -> Double
    ) throws(CurlError) {
        (self.secretFile, self.timeoutSeconds, self.now) = (secretFile, timeoutSeconds, now)
        address = try WebAddress(url)
        transfer = try Transfer()
    }

    /// Sends the event once.
    package func deliver(_ message: HookMessage, until stop: TransferCancellation) -> HookAnswer {
        guard !stop.isCancelled else { return .stopped }
        var head: ResponseHead?
        var bytes: Int64 = 0
        do {
            _ = try transfer.perform(
                try request(message), cancellation: stop,
                onHead: { answer in
                    head = answer
                    return true
                },
                onBody: { piece in
                    bytes += Int64(piece.count)
                    return bytes <= Self.answerBytes
                })
        } catch let error as HookSecretError {
            return .failed(error.reason)
        } catch let error as CurlError where head == nil {
            return error.kind == .cancelled ? .stopped : .failed(error.reason)
        } catch {
            // The status is there; how its body ended is of no interest.
        }
        return head.map(answer) ?? .failed("no answer")
    }

    private func request(_ message: HookMessage) throws -> TransferRequest {
        let body = Array(message.body.utf8)
        var request = TransferRequest(
            address, fields: try fields(message.event, body), limits: limits
        ) { _, _ in true }
        request.posted = body
        return request
    }

    private func fields(
        _ event: HookEvent, _ body: [UInt8]
    ) throws -> [TransferRequest.Field] {
        let seconds = "\(Int64(now()))"
        var fields = [
            TransferRequest.Field("Content-Type", "application/json"),
            TransferRequest.Field("User-Agent", "takeup"),
            TransferRequest.Field("Takeup-Event", event.type),
            TransferRequest.Field("Webhook-Id", event.id),
            TransferRequest.Field("Webhook-Timestamp", seconds),
        ]
        if let secretFile {
            let secret = try HookSecret(file: secretFile)
            let signature = try secret.signature(of: body, id: event.id, seconds: seconds)
            fields.append(TransferRequest.Field("Webhook-Signature", signature))
        }
        return fields
    }

    private var limits: TransferLimits {
        var limits = TransferLimits()
        limits.connectSeconds = min(Self.connectSeconds, timeoutSeconds)
        (limits.headSeconds, limits.totalSeconds) = (timeoutSeconds, timeoutSeconds)
        limits.lowSpeedBytesPerSecond = 0
        return limits
    }

    private func answer(_ head: ResponseHead) -> HookAnswer {
        switch head.status {
        case 200..<300: return .delivered
        case Self.gone: return .refused("it answered 410: it takes such events no more")
        default:
            let asked = head["retry-after"].flatMap {
                RetryAfter(
                    $0, now: HTTPDate(secondsSince1970: Int64(now())), capSeconds: 3600)
            }
            return .failed(
                "it answered \(head.status)", afterSeconds: asked.map { Double($0.seconds) })
        }
    }
}
