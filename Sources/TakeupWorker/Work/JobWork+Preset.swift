internal import TakeupExport
internal import TakeupJobs

extension JobWork {
    /// The preset, or how the attempt ends without it.
    func preset() throws(WorkEnd) -> ExportPreset {
        do throws(PresetError) {
            return try spec.decodedPreset()
        } catch {
            throw .outcome(.failed(JobFault(FailureReport(error)), retryable: false))
        }
    }
}
