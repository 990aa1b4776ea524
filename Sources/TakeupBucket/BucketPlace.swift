internal import Foundation
internal import TakeupCache
internal import TakeupModel
internal import TakeupS3

/// The part of a bucket that is a cache, and the way to it.
struct BucketPlace: Sendable {
    /// What is below the prefix: results by their hash, results without a row, foreign or damaged things, probes of a check.
    enum Folder: String, CaseIterable {
        case objects, orphans, quarantine, probe
    }

    let client: S3Client
    /// The prefix without a slash at its end; empty for the whole bucket.
    let address: S3Address

    init(_ client: S3Client, _ address: S3Address) {
        let key = String(address.key.reversed().drop { $0 == "/" }.reversed())
        self.client = client
        self.address = S3Address(bucket: address.bucket, key: key) ?? address
    }

    /// The same place, to which `isStopped` ends requests.
    func stopping(_ isStopped: @escaping @Sendable () -> Bool) -> BucketPlace {
        BucketPlace(client.stopping(isStopped), address)
    }

    /// The address of a key below the prefix.
    func object(_ key: String) -> S3Address {
        let key = address.key.isEmpty ? key : "\(address.key)/\(key)"
        guard let object = S3Address(bucket: address.bucket, key: key) else {
            preconditionFailure("keys of the cache are plain")
        }
        return object
    }

    func folder(_ folder: Folder) -> S3Address { object("\(folder.rawValue)/") }

    func object(_ name: ObjectName) -> S3Address {
        object("objects/\(name.shard)/\(name.fileName)")
    }

    func orphan(_ name: ObjectName) -> S3Address { object("orphans/\(name.fileName)") }

    /// A key in quarantine that no other object has.
    func quarantine(_ name: ObjectName) -> S3Address {
        object("quarantine/\(name.fileName).\(UUID().uuidString.lowercased())")
    }

    /// For answers that contradict each other, or are not the object's.
    func strange(_ operation: S3Error.Operation, _ object: S3Address) -> CacheError {
        .objects(Failure(client.strangeAnswer(operation, object)))
    }

    /// Runs a request and says an error as the cache does.
    func attempt<Value>(_ body: () throws(S3Error) -> Value) throws(CacheError) -> Value {
        do throws(S3Error) {
            return try body()
        } catch {
            if case .file(ENOSPC) = error.kind { throw .diskFull(path: "\(address)") }
            throw .objects(Failure(error))
        }
    }
}
