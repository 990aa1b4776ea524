import TakeupIntake
import TakeupJobs
import TakeupModel

extension JobSpec {
    /// What people know the job by: its source, after the id where they gave it one; not escaped.
    ///
    /// Such as `clip.mov`, `intro.mov + 2 more`, `story-42 (clip.mov)`.
    var title: String {
        let sources = request.composition.mediaSources
        let first = sources.first ?? ""
        let name = SourceName.file(of: first)
        let more = sources.count > 1 ? " + \(sources.count - 1) more" : ""
        return hasAutomaticID || isOfWatch ? name + more : "\(id) (\(name)\(more))"
    }

    /// Whether the id is one that a watched folder gives: it says nothing to people.
    private var isOfWatch: Bool { id.rawValue.wholeMatch(of: /(watch|trial)-[0-9a-f]{24}/) != nil }
}
