internal import CTakeupCurl

/// libcurl's multi handle with the connections that requests share, freed when the value goes out
/// of scope.
struct MultiHandle: ~Copyable {
    let raw: UnsafeMutableRawPointer

    /// - Throws: `CurlError` with `.start` if libcurl cannot be initialised or has no memory.
    init() throws(CurlError) {
        let status = CurlLibrary.status
        guard status == CURLE_OK, let raw = takeup_multi_init() else {
            let code = status == CURLE_OK ? CURLE_FAILED_INIT : status
            throw CurlError(.start, .other, code: Int32(code.rawValue), subject: "libcurl")
        }
        self.raw = raw
    }

    deinit { takeup_multi_cleanup(raw) }
}
