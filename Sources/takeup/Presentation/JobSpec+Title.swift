import TakeupIntake
import TakeupJobs

extension JobSpec {
    /// What people know the job by: its source, after the id where they gave it one; not escaped.
    ///
    /// Such as `clip.mov`, `intro.mov + 2 more`, `story-42 (clip.mov)`.
    var title: String {
        let first = sources.first ?? ""
        let name = SourceName.file(of: first)
        let more = sources.count > 1 ? " + \(sources.count - 1) more" : ""
        return hasAutomaticID ? name + more : "\(id) (\(name)\(more))"
    }
}
