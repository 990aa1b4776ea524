internal import CTakeupMicrohttpd

/// The words behind a status.
package enum ReasonPhrase {
    package static func of(_ status: Int) -> String {
        MHD_get_reason_phrase_for(UInt32(clamping: status)).map { String(cString: $0) } ?? "Unknown"
    }
}
