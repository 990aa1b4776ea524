package import TakeupJobs
package import TakeupModel

extension JobRecord {
    /// What `jobs show` tells of a job, with the parts of its timeline.
    package var detailedJSON: JSONValue {
        let composition = spec.shownComposition
        return detailedJSON(
            timeline: composition.needsTimeline ? composition.timelineJSON : .null)
    }
}

extension JobSpec {
    /// What is exported, as it may be shown.
    package var shownComposition: Composition {
        request.composition.renamingSources(SourceText.shown)
    }
}
