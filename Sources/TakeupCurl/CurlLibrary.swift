internal import CTakeupCurl
internal import Foundation

/// The libcurl library as a whole, initialised once per process.
package enum CurlLibrary {
    private static let keyLog = "SSLKEYLOGFILE"

    /// Whether libcurl is loaded; tries again after a failure, such as one for want of descriptors.
    package static var isLoaded: Bool { takeup_curl_library() != nil }

    /// The result of initialising libcurl; the first access that finds the library initialises it.
    static var status: CURLcode { isLoaded ? initialised : CURLE_FAILED_INIT }

    /// The result of initialising libcurl, once.
    ///
    /// During initialisation, libcurl reads an environment variable that would make it log all TLS
    /// keys to a file. So the variable is removed for that moment.
    private static let initialised: CURLcode = {
        let file = getenv(keyLog).map { String(cString: $0) }
        if file != nil { unsetenv(keyLog) }
        defer { if let file { setenv(keyLog, file, 1) } }
        return takeup_global_init(takeup_global_default)
    }()

    /// Returns libcurl's text for an error code.
    ///
    /// - Returns: nil for 0, and if libcurl has no text.
    static func words(_ error: CurlError) -> String? {
        guard isLoaded else {
            return "it cannot be loaded: install libcurl4, or allow more open files"
        }
        guard error.code > 0 else { return nil }
        let code = UInt32(error.code)
        let isOfAddress = error.operation == .parse || error.operation == .resolve
        let text =
            isOfAddress
            ? takeup_url_words(CURLUcode(rawValue: code))
            : takeup_easy_words(CURLcode(rawValue: code))
        return text.map { String(cString: $0) }
    }
}
