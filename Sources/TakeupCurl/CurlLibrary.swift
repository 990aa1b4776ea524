internal import CTakeupCurl

/// The library as a whole, made ready once a process.
enum CurlLibrary {
    /// What making it ready returned; asking for it the first time makes it ready.
    static let status: CURLcode = curl_global_init(takeup_global_default)

    /// The library's words for a code.
    static func words(_ code: CURLcode) -> String {
        String(cString: curl_easy_strerror(code))
    }
}
