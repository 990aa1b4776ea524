internal import TakeupCurl
internal import TakeupDigest

/// An address that permits to read one object for some time to whoever has it.
///
/// - Note: Source: "Authenticating requests: using query parameters (AWS Signature Version 4)".
public enum PresignedAddress {
    /// The longest life that servers accept: seven days, in seconds.
    public static let longestSeconds = 604_800

    /// Signs an address by its query.
    ///
    /// - Parameters:
    ///   - object: What may be read.
    ///   - endpoint: Its server.
    ///   - credentials: Whose rights the address lends.
    ///   - now: Seconds since 1970.
    ///   - seconds: How long it is valid, 1 to `longestSeconds`; temporary credentials may end sooner.
    /// - Returns: The address.
    /// - Throws: `CurlError` for an address that cannot be built.
    static func make(
        of object: S3Address, on endpoint: S3Endpoint, _ credentials: S3Credentials, now: Int64,
        seconds: Int
    ) throws(CurlError) -> String {
        precondition((1...longestSeconds).contains(seconds), "an address lives up to seven days")
        let stamp = UTCTime.stamp(now)
        let scope = "\(stamp.prefix(8))/\(endpoint.region)/s3/aws4_request"
        var query = [
            ("X-Amz-Algorithm", "AWS4-HMAC-SHA256"),
            ("X-Amz-Credential", "\(credentials.accessKey)/\(scope)"), ("X-Amz-Date", stamp),
            ("X-Amz-Expires", "\(seconds)"), ("X-Amz-SignedHeaders", "host"),
        ]
        if let token = credentials.sessionToken { query.append(("X-Amz-Security-Token", token)) }
        let address = try endpoint.address(bucket: object.bucket, key: object.key, query: query)
        let isUsual = address.port == (address.scheme == .https ? 443 : 80)
        let host = isUsual ? address.host : "\(address.host):\(address.port)"
        let request = [
            "GET", address.path, address.query ?? "", "host:\(host)", "", "host",
            "UNSIGNED-PAYLOAD",
        ].joined(separator: "\n")
        let signed = ["AWS4-HMAC-SHA256", stamp, scope, SHA256Digest.of(request)]
            .joined(separator: "\n")
        var key = Array("AWS4\(credentials.secretKey)".utf8)
        for part in [String(stamp.prefix(8)), endpoint.region, "s3", "aws4_request"] {
            key = HMACSHA256.Key(key).code(of: Array(part.utf8))
        }
        let signature = HMACSHA256.Key(key).code(of: Array(signed.utf8))
        return "\(address.text)&X-Amz-Signature=\(RunningDigest.digits(signature))"
    }
}
