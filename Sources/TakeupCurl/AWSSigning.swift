/// Makes libcurl sign a request with AWS Signature Version 4, over its method, path, query and every field.
///
/// libcurl 7.88 takes path and query as they are: both must be in canonical form, the query sorted and each name with
/// its equals sign. The request must have the field `x-amz-content-sha256`, and `x-amz-security-token` if the
/// credentials are temporary.
public struct AWSSigning: Equatable, Sendable {
    public var region: String
    /// The service that the request is for, as `s3`.
    public var service: String
    public var accessKey: String
    public var secretKey: String

    public init(region: String, service: String, accessKey: String, secretKey: String) {
        (self.region, self.service) = (region, service)
        (self.accessKey, self.secretKey) = (accessKey, secretKey)
    }
}

extension AWSSigning: CustomStringConvertible, CustomReflectable {
    /// Names no key.
    public var description: String { "AWS signature for \(service) in \(region)" }

    /// Shows no key to a dump either.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
