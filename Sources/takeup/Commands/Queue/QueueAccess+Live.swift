import TakeupJobs

extension QueueAccess {
    /// Opens the queue of a machine, and makes it when there is none.
    init(at places: StatePlaces) throws(Failure) {
        try places.makeHome()
        do throws(JobStoreError) {
            self.init(try SQLJobStore(path: places.database)) { Failure($0, at: places) }
        } catch {
            throw Failure(error, at: places)
        }
    }
}
