internal import CTakeupCurl

/// A URL parsed by libcurl, freed when the value goes out of scope.
struct URLHandle: ~Copyable {
    private let raw: OpaquePointer

    init() throws(CurlError) {
        guard CurlLibrary.isLoaded else {
            throw CurlError(
                .start, .other, code: Int32(CURLE_FAILED_INIT.rawValue), subject: "libcurl")
        }
        guard let raw = takeup_url() else {
            throw CurlError(.parse, .other, code: Int32(CURLUE_OUT_OF_MEMORY.rawValue), subject: "")
        }
        self.raw = raw
    }

    deinit { takeup_url_cleanup(raw) }

    /// Sets one part or the whole URL; a whole URL is resolved against the existing one.
    borrowing func set(_ part: CURLUPart, _ text: String?, flags: UInt32 = 0) -> CURLUcode {
        takeup_url_set(raw, part, text, flags)
    }

    /// - Returns: Nil if the part does not exist or cannot be returned.
    borrowing func get(_ part: CURLUPart, flags: UInt32 = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard takeup_url_get(raw, part, &text, flags) == CURLUE_OK, let text else {
            return nil
        }
        defer { takeup_curl_free(text) }
        return String(validatingCString: text)
    }
}
