internal import Foundation
internal import TakeupCurl

extension FetchError {
    /// Whether the error concerns the source or its origin, not the local disk or a cancellation.
    var comesFromOrigin: Bool {
        switch self {
        case .status, .invalidResponse, .changed, .notMedia, .unsupported, .expired, .denied,
            .tooLarge, .checksumMismatch, .unreachable:
            true
        case .storage, .cancelled: false
        }
    }
}

extension FetchError {
    /// What it means that a request got no answer.
    static func unanswered(_ error: CurlError) -> FetchError {
        error.kind == .outOfFiles
            ? .storage(path: error.subject, errno: EMFILE)
            : .unreachable("\(error)", address: error.subject)
    }
}
