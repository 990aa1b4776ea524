internal import Foundation
internal import TakeupExport
internal import TakeupJobs

extension JobWork {
    /// The preset as the job was given it.
    func preset() throws(WorkEnd) -> ExportPreset {
        do throws(PresetError) {
            return try ExportPreset.decode(Data(spec.preset.content.utf8), from: spec.preset.name)
        } catch {
            throw .outcome(.failed(JobFault(FailureReport(error)), retryable: false))
        }
    }
}
