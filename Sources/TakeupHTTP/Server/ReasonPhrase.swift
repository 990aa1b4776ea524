internal import CTakeupMicrohttpd

/// The words behind a status.
package enum ReasonPhrase {
    package static func of(_ status: Int) -> String {
        // Not of HTTP, but of tus.
        if status == 460 { return "Checksum Mismatch" }
        let words = MHD_get_reason_phrase_for(UInt32(clamping: status))
        return words.map { String(cString: $0) } ?? "Unknown"
    }
}
