internal import Foundation
internal import TakeupDigest

extension JobSpec {
    /// The automatic id, followed by what tells apart jobs that share it: eight digits for output and policies.
    ///
    /// The same whatever id the job has now. Priority, retries, time and timeout are about when, not about what.
    public var distinctID: JobID {
        let key = automaticID
        var spec = self
        (spec.id, spec.priority, spec.retries) = (key, 0, 0)
        (spec.notBefore, spec.timeoutSeconds, spec.onReplaced) = (nil, nil, nil)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let bytes = try? encoder.encode(spec),
            let digest = try? SHA256Digest.of(String(decoding: bytes, as: UTF8.self))
        else { preconditionFailure("a job has a JSON form, and that a digest") }
        return JobID(rawValue: "\(key)-\(digest.prefix(8))")
    }

    /// Whether the id was made from what the job does, not given by the user.
    public var hasAutomaticID: Bool {
        let key = automaticID
        return id == key || id.rawValue.hasPrefix("\(key)-") && id == distinctID
    }
}
