internal import TakeupJobs
public import TakeupS3

/// Says where the results are.
public enum ObjectsAddress: Sendable, Equatable {
    /// In the cache folder.
    case cache
    /// In another folder of this machine; an absolute path.
    case folder(String)
    /// In a bucket, below a prefix.
    case bucket(S3Address)

    /// Reads a setting; nil for anything else.
    ///
    /// - Parameters:
    ///   - text: A path, or `s3://BUCKET[/PREFIX]`.
    ///   - absolute: Turns a relative path into an absolute one.
    public init?(_ text: String, absolute: (String) -> String) {
        if S3Address.isMeant(by: text) {
            guard let address = S3Address(text) else { return nil }
            self = .bucket(address)
        } else {
            guard !text.isEmpty, !text.contains("://") else { return nil }
            self = .folder(absolute(text))
        }
    }

    /// A refused setting for messages, without what may be a secret.
    public static func shown(_ text: String) -> String {
        let isForeign = text.contains("://") && !SourceText.isAddress(text)
        return isForeign ? DatabaseAddress.shown(text) : SourceText.shown(text)
    }

    /// As a setting.
    func setting(cache: String) -> String {
        switch self {
        case .cache: cache
        case .folder(let path): path
        case .bucket(let address): "\(address)"
        }
    }
}
