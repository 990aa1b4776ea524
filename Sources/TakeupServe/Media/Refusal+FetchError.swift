internal import Foundation
internal import TakeupCache
internal import TakeupCurl
internal import TakeupFetch
internal import TakeupModel
internal import TakeupWorker

extension Refusal {
    /// What a gateway says of a source that it cannot fetch.
    ///
    /// - Note: Source: RFC 9110, 15.6.3 and 15.6.5.
    init(_ error: FetchError) {
        let failure = Failure(error)
        switch error {
        case .storage where error.isOutOfFiles: self = .tooManyFiles
        case .storage: self.init(failure)
        case .cancelled:
            self.init(
                503,
                .request(
                    "cancelled", "nobody waits for the answer", Failure.Ending(.temporary, .retry)))
        case .unreachable where error.isTimeout: self.init(504, failure)
        default:
            switch failure.exitCode {
            case .inputMissing: self.init(404, failure)
            case .notPermitted: self.init(403, failure)
            default: self.init(502, failure)
            }
        }
    }

    init(_ error: CacheError) {
        switch error {
        case .file(_, _, EMFILE), .file(_, _, ENFILE): self = .tooManyFiles
        default: self.init(Failure(error))
        }
    }

    /// Refuses at once an address that is none of HTTP, and a literal one that no connection would be made to.
    ///
    /// A name is checked with each connection: it may lead elsewhere by then.
    ///
    /// - Throws: With 400 or 403.
    static func requirePermitted(
        _ address: String, by library: SourceLibrary
    ) throws(Refusal) {
        do throws(CurlError) {
            _ = try WebAddress(address)
        } catch {
            // Without libcurl nothing is known of it.
            guard error.operation != .start else { return }
            throw Refusal(
                400,
                .request(
                    "invalidAddress", "the address cannot be fetched: \(error.reason)",
                    hint: "only http and https addresses are, without user and password"))
        }
        try fetching { () throws(FetchError) in try library.requirePermitted(address) }
    }

    static func fetching<Value>(
        _ body: () throws(FetchError) -> Value
    ) throws(Refusal) -> Value {
        do throws(FetchError) { return try body() } catch { throw Refusal(error) }
    }
}
