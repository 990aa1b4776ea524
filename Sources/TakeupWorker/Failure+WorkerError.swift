internal import TakeupCache
internal import TakeupJobs
public import TakeupModel

extension Failure {
    /// Describes why a worker cannot start; the switch handles every case.
    public init(_ error: WorkerError) {
        switch error {
        case .lanes(let count):
            self.init(
                exitCode: .usage, code: "usage", stage: "request",
                message: "a worker cannot have \(count) lanes", hint: "it has 1 to 64")
        case .queue(let error): self.init(error)
        case .cache(let error): self.init(error)
        case .stateFolder(let path, let reason):
            self.init(
                exitCode: .notPermitted, code: "homeNotUsable", stage: "request",
                message: "cannot use \(path): \(reason)",
                hint: "check the folder's path (TAKEUP_HOME) and its permissions")
        }
    }
}
