internal import TakeupModel
internal import TakeupFetch
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

    /// Which pictures of playlists with several sizes are fetched; files are taken as they are.
    func pictureLimit() throws(WorkEnd) -> PictureLimit {
        guard spec.sources.contains(where: SourceText.isAddress) else { return PictureLimit() }
        return PictureLimit(try preset())
    }
}
