internal import TakeupCurl

/// One question to an origin: which bytes, and of which version.
struct OriginRequest {
    var address: WebAddress
    var offset: Int64
    /// The last byte is before this; nil for all to the end.
    var end: Int64?
    var version: EntityVersion?
    /// Who has named the address; nil when the caller has.
    var home: WebAddress?
    /// Asks only whether the version is still the origin's.
    var isConditional = false

    func fields(_ policy: EntityVersion.TagPolicy) -> [TransferRequest.Field] {
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
