internal import Foundation
internal import TakeupDigest

extension JobSpec {
    /// The id that the job has when the user gave it none: a key of sources, range and preset.
    public var automaticID: JobID { JobID(rawValue: JobKey.make(request)) }

    /// The automatic id, followed by what tells apart jobs that share it: eight digits for output and policies.
    ///
    /// The same whatever id the job has now. Priority, retries, time and timeout are about when, not about what.
    public var distinctID: JobID {
        let key = automaticID
        var spec = self
        (spec.id, spec.priority, spec.retries) = (key, 0, 0)
        (spec.notBefore, spec.timeoutSeconds, spec.onReplaced) = (nil, nil, .fail)
        guard let form = try? FirstForm(spec),
            let digest = try? SHA256Digest.of(JobColumns.encoded(form))
        else { preconditionFailure("a job has a JSON form, and that a digest") }
        return JobID(rawValue: "\(key)-\(digest.prefix(8))")
    }

    /// Whether the id was made from what the job does, not given by the user.
    public var hasAutomaticID: Bool {
        let key = automaticID
        return id == key || id.rawValue.hasPrefix("\(key)-") && id == distinctID
    }
}
