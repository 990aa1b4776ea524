package import TakeupModel

/// The part of the queue that commands use; tests bring one that acts as they need.
package struct QueueAccess: Sendable {
    /// Accepts jobs under the ids that they say; when it returns they are durable.
    package var submit: @Sendable ([JobSpec]) throws(Failure) -> [Acceptance]
    /// The same, and has those whose ids the user did not give go out of the way of others.
    package var place: @Sendable ([JobSpec]) throws(Failure) -> [JobSubmission]
    /// The jobs under the ids that `place` would give them.
    package var settled: @Sendable ([JobSpec]) throws(Failure) -> [JobSpec]
    package var jobs: @Sendable (JobFilter) throws(Failure) -> [JobRecord]
    /// A page of the list, the ones accepted last first.
    package var list: @Sendable (JobListing) throws(Failure) -> JobPage
    /// Returns the states of the jobs that match the filter.
    package var states: @Sendable (JobFilter) throws(Failure) -> [JobID: JobState]
    package var job: @Sendable (JobID) throws(Failure) -> JobRecord?
    /// The same jobs once the standbys of the database have them, as `JobStore.confirmed`.
    ///
    /// A server of Takeup confirms nothing.
    package var confirmed: @Sendable (JobFilter) throws(Failure) -> [JobRecord]
    /// How many jobs are in each state.
    package var counts: @Sendable () throws(Failure) -> [JobState: Int]
    /// Cancels a job, or asks its worker to stop; does nothing to one that has ended.
    package var cancel: @Sendable (JobID) throws(Failure) -> Void
    /// Queues a job that has ended again.
    package var retry: @Sendable (JobID) throws(Failure) -> Void
    /// Forgets jobs that ended at least so many seconds ago, and says how many.
    package var prune: @Sendable (Double) throws(Failure) -> Int
    /// How many jobs wait and run; quick however many have ended.
    package var depth: @Sendable () throws(Failure) -> QueueDepth
    /// What the jobs ask for that wait or run.
    package var demands: @Sendable () throws(Failure) -> [JobDemand] = { () throws(Failure) in [] }
    /// Every worker that has told of itself, and the time now by the clock that dates them; nil where nobody can say.
    package var workers: (@Sendable () throws(Failure) -> (workers: [WorkerEntry], time: Double))?
    /// Returns when something may have happened to a job, or after so many seconds; nil where nobody tells.
    package var waitForNews: (@Sendable (JobID, Double) async -> Void)?

    package init(
        submit: @escaping @Sendable ([JobSpec]) throws(Failure) -> [Acceptance],
        place: @escaping @Sendable ([JobSpec]) throws(Failure) -> [JobSubmission],
        settled: @escaping @Sendable ([JobSpec]) throws(Failure) -> [JobSpec],
        jobs: @escaping @Sendable (JobFilter) throws(Failure) -> [JobRecord],
        list: @escaping @Sendable (JobListing) throws(Failure) -> JobPage,
        states: @escaping @Sendable (JobFilter) throws(Failure) -> [JobID: JobState],
        job: @escaping @Sendable (JobID) throws(Failure) -> JobRecord?,
        counts: @escaping @Sendable () throws(Failure) -> [JobState: Int],
        cancel: @escaping @Sendable (JobID) throws(Failure) -> Void,
        retry: @escaping @Sendable (JobID) throws(Failure) -> Void,
        prune: @escaping @Sendable (Double) throws(Failure) -> Int,
        depth: @escaping @Sendable () throws(Failure) -> QueueDepth = {
            () throws(Failure) in QueueDepth()
        }
    ) {
        (self.submit, self.place, self.settled) = (submit, place, settled)
        (self.jobs, confirmed, self.list, self.states) = (jobs, jobs, list, states)
        (self.job, self.counts, self.cancel) = (job, counts, cancel)
        (self.retry, self.prune, self.depth) = (retry, prune, depth)
    }
}

extension QueueAccess {
    /// Asks a store, and says its errors as `failure` has them.
    package init<Store: JobStore>(
        _ store: Store, failure: @escaping @Sendable (Store.StoreFailure) -> Failure
    ) {
        @Sendable func attempt<Value>(
            _ body: () throws(Store.StoreFailure) -> Value
        ) throws(Failure) -> Value {
            do throws(Store.StoreFailure) { return try body() } catch { throw failure(error) }
        }
        self.init(
            submit: { specs throws(Failure) in
                try attempt { () throws(Store.StoreFailure) in try store.submit(specs) }
            },
            place: { specs throws(Failure) in
                try attempt { () throws(Store.StoreFailure) in try store.place(specs) }
            },
            settled: { specs throws(Failure) in
                try attempt { () throws(Store.StoreFailure) in try store.settled(specs) }
            },
            jobs: { filter throws(Failure) in
                try attempt { () throws(Store.StoreFailure) in try store.jobs(filter) }
            },
            list: { listing throws(Failure) in
                try attempt { () throws(Store.StoreFailure) in try store.list(listing) }
            },
            states: { filter throws(Failure) in
                try attempt { () throws(Store.StoreFailure) in try store.states(filter) }
            },
            job: { id throws(Failure) in
                try attempt { () throws(Store.StoreFailure) in try store.job(id) }
            },
            counts: { () throws(Failure) in
                try attempt { () throws(Store.StoreFailure) in try store.counts() }
            },
            cancel: { id throws(Failure) in
                _ = try attempt { () throws(Store.StoreFailure) in try store.cancel(id) }
            },
            retry: { id throws(Failure) in
                _ = try attempt { () throws(Store.StoreFailure) in try store.retry(id) }
            },
            prune: { seconds throws(Failure) in
                try attempt { () throws(Store.StoreFailure) in
                    try store.prune(olderThanSeconds: seconds)
                }
            },
            depth: { () throws(Failure) in
                try attempt { () throws(Store.StoreFailure) in try store.depth() }
            })
        confirmed = { filter throws(Failure) in
            try attempt { () throws(Store.StoreFailure) in try store.confirmed(filter) }
        }
        demands = { () throws(Failure) in
            try attempt { () throws(Store.StoreFailure) in try store.demands() }
        }
        workers = { () throws(Failure) in
            try attempt { () throws(Store.StoreFailure) in try store.workers() }
        }
    }

    /// Workers that gave a sign of life lately; nil where nobody knows.
    package func liveWorkers() throws(Failure) -> [WorkerEntry]? {
        guard let (known, time) = try workers?() else { return nil }
        return known.filter { $0.isAlive(at: time) }
    }
}
