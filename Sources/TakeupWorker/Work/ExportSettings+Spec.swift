public import TakeupModel
public import TakeupJobs
internal import TakeupTimeline

extension ExportSettings {
    /// What a job asks for; overwriting is left to the one who names the output.
    public init(_ spec: JobSpec, threads: Int) {
        self.init()
        if spec.start != nil || spec.duration != nil {
            timeRange = TimeRange(
                start: spec.start?.time ?? .zero, duration: spec.duration?.time)
        }
        onTruncated = spec.onTruncated
        verification = spec.verify
        copy = spec.copy
        metadata = spec.metadata
        stripsMetadata = spec.stripsMetadata
        fileLengthLimit = spec.sizeLimit
        encoderThreads = threads
        // The worker hashes what it was given itself.
        computesChecksum = false
    }
}
