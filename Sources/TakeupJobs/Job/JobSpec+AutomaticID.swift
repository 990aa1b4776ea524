internal import Foundation
internal import TakeupDigest
internal import TakeupModel

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
        guard let form = try? FirstForm(spec) else {
            preconditionFailure("a job has a JSON form")
        }
        let digest = SHA256Digest.of(JobColumns.encoded(form) + later)
        return JobID(rawValue: "\(key)-\(digest.prefix(8))")
    }

    /// What the first form does not say; empty for what releases up to 1.0 could ask for.
    private var later: String {
        let tracks = request.composition.tracks
        let fastStart = request.settings.shouldOptimizeForNetworkUse
        return (tracks.count > 1 ? JobColumns.encoded(tracks) : "")
            + (fastStart.map { "fastStart \($0)" } ?? "")
    }

    /// Whether the id was made from what the job does, not given by the user.
    public var hasAutomaticID: Bool {
        let key = automaticID
        return id == key || id.rawValue.hasPrefix("\(key)-") && id == distinctID
    }
}
