package import TakeupJobs
package import TakeupModel

extension JobRecord {
    /// What `jobs show` tells of a job, with the parts of its timeline.
    package var detailedJSON: JSONValue { detailedJSON(among: nil) }

    /// The same, with why no worker takes it, by those that gave a sign of life lately.
    package func detailedJSON(among workers: [WorkerEntry]?) -> JSONValue {
        let composition = spec.shownComposition
        return detailedJSON(
            timeline: composition.needsTimeline ? composition.timelineJSON : .null,
            why: workers.flatMap(lack) ?? reason(now: nil))
    }
}

extension JobSpec {
    /// What is exported, as it may be shown.
    package var shownComposition: Composition {
        request.composition.renamingSources(SourceText.shown)
    }
}
