internal import CTakeupCurl
internal import Foundation

/// The libcurl library as a whole, initialised once per process.
enum CurlLibrary {
    private static let keyLog = "SSLKEYLOGFILE"

    /// The result of initialising libcurl; the first access initialises it.
    ///
    /// During initialisation, libcurl reads an environment variable that would make it log all TLS
    /// keys to a file. So the variable is removed for that moment.
    static let status: CURLcode = {
        let file = getenv(keyLog).map { String(cString: $0) }
        if file != nil { unsetenv(keyLog) }
        defer { if let file { setenv(keyLog, file, 1) } }
        return curl_global_init(takeup_global_default)
    }()

    /// Returns libcurl's text for an error code.
    ///
    /// - Returns: nil for 0, and if libcurl has no text.
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
