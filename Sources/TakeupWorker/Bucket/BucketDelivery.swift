internal import TakeupCache
internal import TakeupFiles
internal import TakeupJobs
internal import TakeupModel
internal import TakeupS3

/// A job's output in a bucket.
///
/// The result is in the cache by the time it is sent, so that a job whose bucket is away goes back to the queue and
/// does no work twice.
struct BucketDelivery: JobOutput {
    let path: String
    private let output: BucketOutput
    private let work: JobAttempt

    /// - Throws: `AttemptEnd` without keys, or for an address of no object.
    init(_ path: String, _ work: JobAttempt) throws(AttemptEnd) {
        (self.path, self.work) = (path, work)
        do throws(Failure) {
            output = try BucketOutput(
                path, work.spec.request.settings.overwrite,
                work.tools.configuration.objects ?? S3Environment([:]),
                isStopped: { [hold = work.hold] in hold.stop != nil })
        } catch {
            throw work.end(error, at: Folder.containing(path))
        }
    }

    func check(_ sources: OpenSources) throws(AttemptEnd) {
        let isSource = work.spec.request.sources.contains { S3Address($0) == output.address }
        guard isSource, output.overwrite != .unique else { return }
        throw failed(.outputNotCreated(path, reason: "it is the source itself"))
    }

    func isTaken() throws(AttemptEnd) -> Bool {
        guard output.overwrite == .fail else { return false }
        return try ask { () throws(S3Error) in try output.freeName() == nil }
    }

    func requirePlace() throws(AttemptEnd) {
        // `isTaken` has asked for all others.
        guard output.overwrite != .fail else { return }
        _ = try ask { () throws(S3Error) in try output.freeName() }
    }

    func isPresent(
        _ place: String, bytes: Int64, sha256: String, for work: JobAttempt
    ) throws(AttemptEnd) -> Bool {
        // A file of this machine is of another output.
        guard let object = S3Address(place) else { return false }
        return try ask { () throws(S3Error) in
            try output.holds(object, bytes: bytes, sha256: sha256)
        }
    }

    func publish(
        _ result: CachedResult, _ failpoints: Failpoint.Plan?,
        confirm: (String) throws(AttemptEnd) -> Void, isStopped: () -> Bool
    ) throws(AttemptEnd) -> String {
        let content = BucketOutput.Content(
            descriptor: result.file.descriptor, bytes: result.file.bytes,
            sha256: result.entry.sha256)
        let name = try output.publish(content, failing: end) {
            name throws(AttemptEnd) in try confirm("\(name)")
        }
        guard let name else { throw failed(.outputExists(path)) }
        return "\(name)"
    }

    private func ask<Value>(_ body: () throws(S3Error) -> Value) throws(AttemptEnd) -> Value {
        do throws(S3Error) { return try body() } catch { throw end(error) }
    }

    private func end(_ error: S3Error) -> AttemptEnd {
        if error.kind == .cancelled { return .stopped }
        return work.end(Failure(error), at: Folder.containing(path))
    }

    private func failed(_ error: ExportError) -> AttemptEnd {
        .outcome(.failed(Failure(error), retryable: false))
    }
}
