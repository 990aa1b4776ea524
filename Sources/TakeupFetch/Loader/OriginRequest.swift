internal import TakeupCurl

/// A request to an origin: its byte range and version.
struct OriginRequest {
    var address: WebAddress
    var offset: Int64
    /// Offset after the last byte; nil for everything to the end.
    var end: Int64?
    var version: EntityVersion?
    /// The address that named this address, for example a playlist; nil if the caller named it.
    var home: WebAddress?
    /// Asks only whether the version is still current.
    var isConditional = false
    /// Asks for a range; otherwise for the whole object, which some origins make anew each time.
    var isRanged = true

    /// Number of requested bytes, as far as the known object has them; nil if unknown or for a whole.
    var count: Int64? {
        guard isRanged else { return nil }
        return [end, version?.length].compactMap(\.self).min().map { $0 - offset }
    }

    func fields(_ policy: EntityVersion.TagPolicy) -> [TransferRequest.Field] {
        guard isRanged else { return [] }
        let last = end.map { "\($0 - 1)" } ?? ""
        var fields = [TransferRequest.Field("Range", "bytes=\(offset)-\(last)")]
        guard let version else { return fields }
        if isConditional {
            if let condition = version.condition { fields.append(condition) }
        } else if let validator = version.ifRange(policy) {
            fields.append(TransferRequest.Field("If-Range", validator))
        }
        return fields
    }
}
