internal import CTakeupCurl
internal import Foundation

/// The library as a whole, made ready once a process.
enum CurlLibrary {
    private static let keyLog = "SSLKEYLOGFILE"

    /// What making it ready returned; asking for it the first time makes it ready.
    ///
    /// It would write the keys of all connections to a file that the environment names, and looks for that just then.
    static let status: CURLcode = {
        let file = getenv(keyLog).map { String(cString: $0) }
        if file != nil { unsetenv(keyLog) }
        defer { if let file { setenv(keyLog, file, 1) } }
        return curl_global_init(takeup_global_default)
    }()

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
