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
