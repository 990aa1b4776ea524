internal import CTakeupCurl

/// The library as a whole, made ready once a process.
enum CurlLibrary {
    /// What making it ready returned; asking for it the first time makes it ready.
    static let status: CURLcode = curl_global_init(takeup_global_default)

    /// The library's words for an error's code.
    ///
    /// - Returns: nil for 0, and where the library has none.
    static func words(_ error: CurlError) -> String? {
        guard error.code > 0 else { return nil }
        let code = UInt32(error.code)
        let isOfAddress = error.operation == .parse || error.operation == .resolve
        let text =
            isOfAddress
            ? curl_url_strerror(CURLUcode(rawValue: code))
            : curl_easy_strerror(CURLcode(rawValue: code))
        return text.map { String(cString: $0) }
    }
}
