internal import CTakeupCurl

extension CurlError.Kind {
    /// `CURLE_TOO_LARGE`, new in libcurl 8.6.
    private static let tooLargeCode: UInt32 = 100

    /// Converts libcurl's error code, for a transfer that no callback of ours has ended.
    ///
    /// - Parameters:
    ///   - code: Any code except `CURLE_OK`.
    ///   - isHeadOpen: Whether the request was sent and the answer's head is not complete.
    ///   - bodyBytes: Number of bytes of the body that arrived.
    init(code: CURLcode, isHeadOpen: Bool, bodyBytes: Int64) {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: self = .resolve
        case CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED: self = .connect
        case CURLE_OPERATION_TIMEDOUT: self = .timeout
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR,
            CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CRL_BADFILE, CURLE_SSL_ENGINE_INITFAILED:
            self = .tls
        case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR:
            self = .cut(bodyBytes: bodyBytes)
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING,
            CURLE_HTTP_RETURNED_ERROR:
            self = .protocol
        case CURLE_FILESIZE_EXCEEDED: self = .tooLarge
        // Before 8.6, libcurl reports a header line above 100 KiB as out of memory.
        case CURLE_OUT_OF_MEMORY where isHeadOpen: self = .tooLarge
        default: self = code.rawValue == Self.tooLargeCode ? .tooLarge : .other
        }
    }
}
