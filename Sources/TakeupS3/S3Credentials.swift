/// The keys that requests are signed with; never shown.
public struct S3Credentials: Sendable, Equatable {
    public var accessKey: String
    public var secretKey: String
    /// Belongs to temporary credentials; nil for permanent ones.
    public var sessionToken: String?

    public init(accessKey: String, secretKey: String, sessionToken: String? = nil) {
        (self.accessKey, self.secretKey) = (accessKey, secretKey)
        self.sessionToken = sessionToken
    }
}

extension S3Credentials: CustomStringConvertible, CustomReflectable {
    public var description: String { "credentials" }

    /// Shows no key to a dump either.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
