internal import TakeupFiles
public import TakeupModel
public import TakeupS3

/// A named output in a bucket: whether its key is taken, and how a finished file comes there.
///
/// The file was verified on this machine before a byte is sent. Calls block.
public struct BucketOutput: Sendable {
    /// A finished file.
    struct Content {
        /// Open for reading.
        var descriptor: Int32
        var bytes: Int64
        var sha256: String
    }

    /// Seconds after which an upload that was begun is of nobody any more.
    private static let uploadSeconds: Int64 = 86_400

    let address: S3Address
    let overwrite: ExportSettings.Overwrite
    private let client: S3Client

    /// Reads where an output goes; asks no server.
    ///
    /// - Parameters:
    ///   - output: `s3://BUCKET/KEY`.
    ///   - overwrite: What becomes of an object that has the key.
    ///   - environment: Leads to the server and its keys.
    ///   - isStopped: Asked several times a second; `true` ends every call, and aborts an upload.
    /// - Throws: With 64 for an address that names no object; with 78 without keys.
    public init(
        _ output: String, _ overwrite: ExportSettings.Overwrite, _ environment: S3Environment,
        isStopped: (@Sendable () -> Bool)? = nil
    ) throws(Failure) {
        guard let address = S3Address(output), !address.key.isEmpty, !address.key.hasSuffix("/")
        else {
            throw Failure(
                exitCode: .usage, code: "outputNotAnObject", stage: "request",
                message: "no object can have the address \(output.prefix(500))",
                hint: "write s3://BUCKET/KEY, without empty parts or dots alone")
        }
        (self.address, self.overwrite) = (address, overwrite)
        client = try environment.client(isStopped: isStopped)
    }

    /// Whether a text is meant as an output in a bucket.
    public static func isMeant(by output: String) -> Bool { S3Address.isMeant(by: output) }

    /// The bytes of the object that has the key; nil if none has it.
    ///
    /// - Throws: `Failure` of the server.
    public func size() throws(Failure) -> Int64? {
        do throws(S3Error) {
            return try client.facts(address)?.bytes
        } catch {
            throw Failure(error)
        }
    }

    /// What may be its name: its own, or for `unique` also that with a number.
    private var names: some Sequence<S3Address> {
        (0...(overwrite == .unique ? 9999 : 0)).lazy.compactMap { number in
            number == 0
                ? address
                : S3Address(
                    bucket: address.bucket, key: PartialFile.numbered(address.key, number))
        }
    }

    /// The first name that may be taken; nil if all are in use.
    ///
    /// A bucket that is not there, or away, is known before any work.
    func freeName() throws(S3Error) -> S3Address? {
        // The answer about one object does not tell whether there is a bucket.
        _ = try client.list(address.bucket, prefix: address.key, most: 1)
        for name in names where try client.facts(name) == nil || overwrite == .replace {
            return name
        }
        return nil
    }

    /// Whether an object is there that was written with just this content.
    func holds(_ object: S3Address, bytes: Int64, sha256: String) throws(S3Error) -> Bool {
        guard let facts = try client.facts(object) else { return false }
        return facts.bytes == bytes && facts.sha256 == sha256
    }

    /// Sends a finished file, whole or not at all.
    ///
    /// The server is asked before, and told to keep what has the key: some servers do not know that condition.
    ///
    /// - Parameters:
    ///   - content: What is sent.
    ///   - failing: Says an error of the server as the caller does.
    ///   - confirm: Asked with the very name, directly before it is given.
    /// - Returns: The name; nil if all are in use.
    /// - Throws: What `failing` makes, and what `confirm` throws.
    func publish<Reason: Error>(
        _ content: Content, failing: (S3Error) -> Reason,
        confirm: (S3Address) throws(Reason) -> Void
    ) throws(Reason) -> S3Address? {
        for name in names {
            do throws(S3Error) {
                if overwrite != .replace, try client.facts(name) != nil { continue }
            } catch {
                throw failing(error)
            }
            try confirm(name)
            do throws(S3Error) {
                try send(content, to: name)
                return name
            } catch {
                guard error.kind == .conditionFailed, overwrite != .replace else {
                    throw failing(error)
                }
            }
        }
        return nil
    }

    private func send(_ content: Content, to object: S3Address) throws(S3Error) {
        if content.bytes > S3Upload.leastPart { abortForgotten(object) }
        try S3Upload(
            client, to: object, descriptor: content.descriptor, bytes: content.bytes,
            sha256: content.sha256, ifAbsent: overwrite != .replace
        ).run()
    }

    /// Ends uploads of this very key that a killed process left; who may not do that goes on.
    private func abortForgotten(_ object: S3Address) {
        guard let (uploads, clock) = try? client.unfinishedUploads(object), let clock else {
            return
        }
        for upload in uploads
        where upload.key == object.key && clock - (upload.begunAt ?? clock) >= Self.uploadSeconds {
            try? client.abort(upload, in: object.bucket)
        }
    }
}
