internal import Foundation
package import TakeupCurl
internal import TakeupFields

/// Fetches small documents whole into memory, with a library's settings; stores nothing.
package struct DocumentFetch: Sendable {
    /// A whole document and where it came from.
    package struct Document: Sendable, Equatable {
        package var bytes: [UInt8]
        /// The address after all redirects.
        package var address: WebAddress
        package var status: Int
        /// The content type as sent; nil without one.
        package var contentType: String?
    }

    /// Highest number of tries after the first one.
    private static let mostRetries = 2
    /// Seconds between two checks whether a wait is over.
    private static let lookSeconds = 0.05

    private let settings: FetchSettings

    package init(_ library: SourceLibrary) { settings = library.settings }

    /// Fetches a document; blocks, at most for the settings' limits of time.
    ///
    /// - Parameters:
    ///   - address: An http or https address.
    ///   - fields: Fields for the address's own origin, besides those of the settings; another
    ///     origin, after a redirect, gets only the harmless ones.
    ///   - limitBytes: Size of the largest document.
    ///   - totalSeconds: Time limit for all tries together.
    ///   - cancellation: Ends the fetch from any thread.
    ///   - admits: Asked for room for so many more bytes; also for those of a try that fails later.
    /// - Returns: The document.
    /// - Throws: Any `FetchError`, but of `.storage` only `EMFILE`, and `ENOMEM` if `admits` refuses; `.tooLarge` for a
    ///   longer document.
    package func document(
        at address: WebAddress, fields: [TransferRequest.Field] = [], limitBytes: Int,
        totalSeconds: Double = 60, cancellation: TransferCancellation = TransferCancellation(),
        admits: @escaping @Sendable (Int) -> Bool = { _ in true }
    ) throws(FetchError) -> Document {
        let origin = HTTPOrigin(asked(with: fields, limitBytes, totalSeconds))
        var policy = OriginRetryPolicy(
            firstSeconds: settings.retry.firstSeconds,
            longestSeconds: settings.retry.longestSeconds,
            maximumTries: Self.mostRetries + 1)
        while true {
            let reception = DocumentReception(
                address.redacted, limitBytes: limitBytes, admits: admits)
            let ask = OriginRequest(address: address, offset: 0, isRanged: false)
            let now = HTTPDate(secondsSince1970: Int64(Date().timeIntervalSince1970))
            let outcome = try origin.perform(
                ask, now: now, cancellation: cancellation, reception)
            let (cause, wish): (FetchError, Int64?)
            switch outcome {
            case .body(.whole), .body(.length):
                return Document(
                    bytes: reception.bytes, address: origin.answered ?? address,
                    status: reception.status, contentType: reception.contentType)
            case .stopped: throw .cancelled
            case .verdict(.refuse(let error)): throw error
            case .verdict(.retry(let seconds, let error)): (cause, wish) = (error, seconds)
            case .unreachable(let error):
                (cause, wish) = (.unanswered(error), nil)
            case .body(.cut(let offset)):
                (cause, wish) = (
                    .unreachable("cut at byte \(offset)", address: address.redacted), nil
                )
            case .body(.grown), .verdict:
                throw .invalidResponse("no whole document", address: address.redacted)
            }
            guard
                case .retry(let seconds) = policy.failed(
                    originSeconds: wish, random: .random(in: 0...1))
            else { throw cause }
            if let left = origin.budget.leftSeconds, left <= seconds { throw cause }
            origin.budget.spend(seconds)
            try pause(seconds, cancellation)
        }
    }

    private func asked(
        with fields: [TransferRequest.Field], _ limitBytes: Int, _ totalSeconds: Double
    ) -> FetchSettings {
        var settings = settings
        let own = Set(fields.map { $0.name.lowercased() })
        settings.originFields.removeAll { own.contains($0.name.lowercased()) }
        settings.originFields += fields
        settings.judge.limitBytes = Int64(limitBytes)
        settings.totalSeconds = totalSeconds
        return settings
    }

    private func pause(
        _ seconds: Double, _ cancellation: TransferCancellation
    ) throws(FetchError) {
        let end = FetchSession.monotonicSeconds + seconds
        while true {
            guard !cancellation.isCancelled else { throw .cancelled }
            let left = end - FetchSession.monotonicSeconds
            guard left > 0 else { return }
            Thread.sleep(forTimeInterval: min(left, Self.lookSeconds))
        }
    }
}

/// Collects one answer that holds a whole document.
private final class DocumentReception: OriginReceiver {
    private let address: String
    private let limitBytes: Int
    private let admits: (Int) -> Bool
    private var body: OriginBody?
    private(set) var bytes: [UInt8] = []
    private(set) var status = 0
    private(set) var contentType: String?
    private(set) var failure: FetchError?
    let hasMore = false

    init(_ address: String, limitBytes: Int, admits: @escaping (Int) -> Bool) {
        (self.address, self.limitBytes, self.admits) = (address, limitBytes, admits)
    }

    var wantsBody: Bool { body != nil }

    func begin(_ verdict: OriginVerdict, _ head: ResponseHead) -> Bool {
        (status, contentType) = (head.status, head["content-type"])
        guard case .store(let body) = verdict else { return true }
        guard body.start == 0, body.count == nil || body.isWhole else {
            failure = .invalidResponse("a part of the document", address: address)
            return false
        }
        self.body = body
        return true
    }

    func take(_ piece: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count + piece.count <= limitBytes else {
            failure = .tooLarge(limitBytes: Int64(limitBytes), address: address)
            return false
        }
        guard admits(piece.count) else {
            failure = .storage(path: address, errno: ENOMEM)
            return false
        }
        bytes.append(contentsOf: piece)
        return true
    }

    func finish(endedWell: Bool) throws(FetchError) -> OriginOutcome {
        guard endedWell else { return .body(.cut(at: Int64(bytes.count))) }
        return .body(.whole)
    }
}
