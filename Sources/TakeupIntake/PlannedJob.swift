import TakeupJobs

/// A job on its way from a list to the queue.
struct PlannedJob {
    /// Where the output goes.
    enum Naming {
        /// Into the cache alone.
        case cache
        /// To the path in `spec.request.output`.
        case given
        /// To a free name that begins with `stem`.
        case chosen(folder: String, stem: String, fileExtension: String)
    }

    var spec: JobSpec
    /// Where the list has it, from 1; nil for a job that no list wrote.
    let line: Int?
    let hasOwnID: Bool
    /// Whether nothing but its source was named.
    let isPlain: Bool
    /// Whether all that the list says of it could be read; if not, only what it names is looked at.
    let isWhole: Bool
    let naming: Naming
    /// What of its timeline nothing was made of.
    var omitted: [BatchList.Skipped] = []
}
