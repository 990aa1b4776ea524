extension FetchError {
    /// Whether it tells of the source and its origin, not of the disk here or of who waits.
    var comesFromOrigin: Bool {
        switch self {
        case .status, .invalidResponse, .changed, .notMedia, .unsupported, .expired, .denied,
            .tooLarge, .checksumMismatch, .unreachable:
            true
        case .storage, .cancelled: false
        }
    }
}
