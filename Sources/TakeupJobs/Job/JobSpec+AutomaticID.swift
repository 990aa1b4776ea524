internal import TakeupTimeline

extension JobSpec {
    /// The id that the job has when the user gave it none: a key of sources, range and preset.
    public var automaticID: JobID {
        let range = start.map { TimeRange(start: $0.time, duration: duration?.time) }
        return JobID(
            rawValue: JobKey.make(sources: sources, range: range, preset: preset.content))
    }
}
