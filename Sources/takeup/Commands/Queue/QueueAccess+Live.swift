import TakeupJobs
import TakeupModel
import TakeupService

extension QueueAccess {
    /// Opens the queue of a machine, and makes it when there is none.
    init(at places: StatePlaces) throws(Failure) {
        self.init(try places.openQueue()) { Failure($0) }
    }
}
