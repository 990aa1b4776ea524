internal import TakeupCurl
internal import TakeupDigest

/// One request to an object store, before it is addressed and signed.
struct S3Request {
    /// What is sent, and its hash, which the signature covers.
    enum Body {
        case none
        case bytes([UInt8])
        /// A part of a file with its hash, and its MD5 in Base64 where that may be computed.
        case file(TransferRequest.Upload, sha256: String, md5: String?)
    }

    var operation: S3Error.Operation
    var method: String
    /// The object; the bucket if its key is empty.
    var address: S3Address
    /// Not encoded.
    var query: [(String, String)] = []
    var fields: [TransferRequest.Field] = []
    var body = Body.none
    /// Seconds that the server may work before it sends the last byte; nil watches the speed.
    var workSeconds: Double?

    /// The request for libcurl.
    ///
    /// - Parameters:
    ///   - endpoint: Where it goes.
    ///   - credentials: What signs it.
    ///   - authorities: Trusted certificates; nil for the system's.
    /// - Returns: The request, which may go to any address of the endpoint.
    /// - Throws: `CurlError` for an address that cannot be built.
    func transfer(
        to endpoint: S3Endpoint, _ credentials: S3Credentials, authorities: String?
    ) throws(CurlError) -> TransferRequest {
        // The operator named the server: it may be in any network.
        var request = TransferRequest(
            try endpoint.address(bucket: address.bucket, key: address.key, query: query),
            mayConnect: { _, _ in true })
        request.method = method == "GET" ? nil : method
        (request.fields, request.authorities) = (fields, authorities)
        var sha256 = Self.emptySHA256
        switch body {
        case .none: break
        case .bytes(let bytes):
            request.posted = bytes
            sha256 = Self.digest(.sha256, bytes) ?? "UNSIGNED-PAYLOAD"
            if let md5 = Self.digest(.md5, bytes).flatMap(Base64.ofDigits) {
                request.fields.append(.init("Content-MD5", md5))
            }
        case .file(let part, let hash, let md5):
            (request.upload, sha256) = (part, hash)
            if let md5 { request.fields.append(.init("Content-MD5", md5)) }
        }
        request.fields.append(.init("x-amz-content-sha256", sha256))
        if let token = credentials.sessionToken {
            request.fields.append(.init("x-amz-security-token", token))
        }
        request.signing = AWSSigning(
            region: endpoint.region, service: "s3", accessKey: credentials.accessKey,
            secretKey: credentials.secretKey)
        request.limits.headSeconds = workSeconds ?? 60
        if let workSeconds {
            request.limits.lowSpeedBytesPerSecond = 0
            request.limits.totalSeconds = workSeconds
        }
        return request
    }

    /// - Note: Source: FIPS 180-4, of no bytes.
    private static let emptySHA256 =
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

    /// nil where the system does not permit the algorithm.
    static func digest(_ algorithm: DigestAlgorithm, _ bytes: [UInt8]) -> String? {
        guard let digest = RunningDigest(algorithm) else { return nil }
        digest.update(bytes)
        return digest.finish()
    }
}
