/// Why an object store did not do what it was asked.
public struct S3Error: Error, Equatable, Sendable {
    /// What was asked; raw values are stored in records and never change.
    public enum Operation: String, Sendable {
        case list, look, read, write, delete, copy, beginUpload, writePart, completeUpload,
            abortUpload, listUploads
    }

    /// The kinds of errors that callers distinguish.
    public enum Kind: Equatable, Sendable {
        /// No connection, or one that broke off again and again.
        case unreachable(String)
        /// No trusted connection.
        case tls
        /// The server asks for fewer requests.
        case throttled
        /// The server failed, or has no time.
        case serverFailed
        case noObject
        case noBucket
        /// The credentials are valid and do not permit it.
        case denied
        /// The keys are unknown, or the signature is wrong.
        case credentialsRefused
        case credentialsExpired
        /// The clocks of this machine and the server differ too much.
        case clockSkewed
        /// The bucket is in another region.
        case wrongRegion
        /// The bucket, or the server's disk, is full.
        case full
        /// An object has the key already, or has changed since.
        case conditionFailed
        /// Bytes changed on their way, or are not those that were written.
        case damaged(String)
        /// The answer is none of an object store.
        case invalidAnswer(String)
        /// A file of this machine could not be read or written.
        case file(errno: Int32)
        /// The caller stopped it.
        case cancelled
        /// Anything else that the server refuses.
        case refused
    }

    public let operation: Operation
    public let kind: Kind
    /// The object, or the bucket.
    public let address: S3Address
    /// The server, without a path.
    public let server: String
    /// The server's own name of the error, such as `NoSuchBucket`; empty without one.
    public var code = ""
    /// HTTP status; 0 without an answer.
    public var status = 0
    /// Seconds that the server asks to wait.
    var retryAfter: Double?

    /// Whether the same request may succeed a moment later.
    public var isTemporary: Bool {
        switch kind {
        case .unreachable, .throttled, .serverFailed: true
        case .damaged: true
        case .tls, .noObject, .noBucket, .denied, .credentialsRefused, .credentialsExpired,
            .clockSkewed, .wrongRegion, .full, .conditionFailed, .invalidAnswer, .file, .cancelled,
            .refused:
            false
        }
    }
}

extension S3Error.Kind {
    /// Reads what a server answered.
    ///
    /// - Parameters:
    ///   - status: HTTP status.
    ///   - code: The `Code` of its error document; empty without one, as after HEAD.
    /// - Note: Source: "Error responses" of Amazon S3; MinIO and Ceph use the same names and some more.
    init(status: Int, code: String) {
        switch code {
        case "NoSuchKey", "NoSuchVersion", "NoSuchUpload": self = .noObject
        case "NoSuchBucket": self = .noBucket
        case "AccessDenied", "AllAccessDisabled", "AccountProblem": self = .denied
        case "InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidToken", "InvalidSecurity",
            "AuthorizationQueryParametersError":
            self = .credentialsRefused
        case "ExpiredToken", "TokenRefreshRequired", "RequestExpired": self = .credentialsExpired
        case "RequestTimeTooSkewed": self = .clockSkewed
        case "PermanentRedirect", "AuthorizationHeaderMalformed", "TemporaryRedirect",
            "IllegalLocationConstraintException":
            self = .wrongRegion
        case "QuotaExceeded", "XMinioStorageFull", "XMinioAdminBucketQuotaExceeded",
            "InsufficientCapacity", "InsufficientStorage", "EntityTooLarge":
            self = .full
        case "PreconditionFailed", "ConditionalRequestConflict": self = .conditionFailed
        case "BadDigest", "InvalidDigest", "XAmzContentSHA256Mismatch", "IncompleteBody",
            "InvalidPart", "InvalidPartOrder", "XAmzContentChecksumMismatch":
            self = .damaged("the server received other bytes (\(code))")
        case "SlowDown", "Throttling", "ThrottlingException", "RequestLimitExceeded",
            "TooManyRequests", "SlowDownRead", "SlowDownWrite":
            self = .throttled
        case "InternalError", "ServiceUnavailable", "RequestTimeout", "OperationAborted":
            self = .serverFailed
        default: self = Self.of(status: status)
        }
    }

    /// Of a status alone.
    private static func of(status: Int) -> S3Error.Kind {
        switch status {
        case 404, 410: .noObject
        case 401, 403: .denied
        case 301, 302, 307, 308: .wrongRegion
        case 408: .serverFailed
        case 409, 412: .conditionFailed
        case 429: .throttled
        case 507: .full
        case 500...599: .serverFailed
        default: .refused
        }
    }
}
