package import TakeupJobs
package import TakeupModel

extension QueueAccess {
    /// Opens the queue of a machine, and makes it when there is none.
    package init(at places: StatePlaces) throws(Failure) {
        self.init(try places.openQueue()) { Failure($0) }
    }
}
