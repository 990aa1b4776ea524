public import TakeupJobs

/// A job that a command line or a program describes instead of a list.
public struct SingleJob: Sendable, Equatable {
    /// Paths that are joined in order; relative ones start at `folder`.
    public var sources: [String]
    /// Where relative paths start; absolute.
    public var folder: String
    /// Nil for a key of sources, range and preset.
    public var id: String?
    /// A file, or a folder when it ends in a slash; nil leaves the result in the cache alone.
    public var output: String?

    /// Lays out the sources; a name or a file, nil joins them.
    public var template: String?
    /// What lies under them by the template.
    public var music: String?
    /// Stands above the preset of the template and of the options; nil for none.
    public var preset: String?

    public init(sources: [String], folder: String) {
        (self.sources, self.folder) = (sources, folder)
    }

    /// Makes what the queue takes.
    ///
    /// - Parameter options: Everything that the job does not say itself; its `outputFolder` is not looked at.
    /// - Returns: The job, its paths absolute and its preset by content.
    /// - Throws: The first thing that is wrong with it.
    public func spec(_ options: BatchOptions) throws(BatchFault) -> JobSpec {
        var options = options
        options.outputFolder = nil
        var draft = JobDraft(line: nil)
        let paths = sources.map { JSONElement(value: .text($0), line: nil) }
        draft.fields[.source] = JSONElement(value: .list(paths), line: nil)
        let texts: [(JobField, String?)] = [
            (.id, id), (.output, output), (.template, template), (.music, music), (.preset, preset),
        ]
        for (field, text) in texts {
            draft.fields[field] = text.map { JSONElement(value: .text($0), line: nil) }
        }
        var faults = FaultList()
        var builder = SpecBuilder(options, folder: folder)
        var jobs = [builder.job(draft, &faults)]
        OutputNaming.settle(&jobs, &faults)
        if let fault = faults.sorted.first { throw fault }
        return jobs[0].spec
    }
}
