internal import Foundation
public import TakeupCurl

/// The server of an object store, and how a bucket is addressed on it.
public struct S3Endpoint: Sendable, Equatable {
    /// As signatures name it.
    public var region: String
    /// The address of the server; nil for Amazon's in the region.
    public var server: WebAddress?
    /// Whether the bucket is the first part of the path; otherwise it is a part of the host's name.
    public var usesPath: Bool

    /// Chooses the addressing: the path for a server that was named, the host's name on Amazon.
    public init(region: String, server: WebAddress? = nil, usesPath: Bool? = nil) {
        (self.region, self.server) = (region, server)
        self.usesPath = usesPath ?? (server != nil)
    }

    /// The server for messages, without a path.
    public var name: String {
        guard let server else { return amazon }
        let isUsual = server.port == (server.scheme == .https ? 443 : 80)
        return "\(server.scheme.rawValue)://\(server.host)\(isUsual ? "" : ":\(server.port)")"
    }

    private var amazon: String {
        let domain = region.hasPrefix("cn-") ? "amazonaws.com.cn" : "amazonaws.com"
        return "https://s3.\(region).\(domain)"
    }

    /// The address of an object, or of the bucket if the key is empty.
    ///
    /// - Parameters:
    ///   - bucket: Its name.
    ///   - key: Of the object.
    ///   - query: Names and values, not encoded.
    /// - Returns: The address in the form that is signed.
    /// - Throws: `CurlError` if the server's name cannot be joined with the bucket's.
    public func address(
        bucket: String, key: String, query: [(String, String)] = []
    ) throws(CurlError) -> WebAddress {
        let base = server?.path.split(separator: "/").map { "/\($0)" }.joined() ?? ""
        var path = "\(base)/\(PercentEncoding.encode(key, keepsSlashes: true))"
        var root = name
        // No certificate covers a bucket's name with dots.
        if usesPath || server == nil && bucket.contains(".") {
            path = "\(base)/\(bucket)/\(PercentEncoding.encode(key, keepsSlashes: true))"
        } else if let mark = root.range(of: "://") {
            root.insert(contentsOf: "\(bucket).", at: mark.upperBound)
        }
        // Some servers list the bucket at one path only.
        if key.isEmpty, path.hasSuffix("/"), path != "/" { path.removeLast() }
        let query = query.isEmpty ? "" : "?\(PercentEncoding.query(query))"
        return try WebAddress("\(root)\(path)\(query)")
    }
}
