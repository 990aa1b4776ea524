public import TakeupModel
internal import TakeupSQL

extension Failure {
    /// Says what the queue could not do; total over its cases.
    public init(_ error: JobStoreError) {
        switch error {
        case .store(let error): self.init(error)
        case .gone(let path): self.init(SQLError.gone(path))
        case .networkFileSystem(let path, let kind):
            self.init(
                exitCode: .configuration, code: "databaseOnNetwork", stage: "request",
                message:
                    "\(path) is on a shared file system (\(kind)), whose locks cannot be trusted",
                hint: "put it on a local disk of this machine")
        case .notPermitted(let path, let reason):
            self.init(
                exitCode: .notPermitted, code: "databaseNotPermitted", stage: "request",
                message: "cannot write to \(path): \(reason)",
                hint:
                    "check the permissions of the file and of its folder, or choose another database"
            )
        case .unreadable(let job, let reason):
            self.init(
                exitCode: .internalError, code: "jobUnreadable", stage: "request",
                message: "a job cannot be read (\(reason)): \(job)",
                hint: "use the version of Takeup that made it, or a database of your own")
        }
    }
}

extension JobStoreError: CustomStringConvertible {
    public var description: String { Failure(self).message }
}
