public import TakeupModel
internal import TakeupSQL

extension Failure {
    public static func watch(_ exitCode: ExitCode, _ message: String, hint: String) -> Failure {
        Failure(
            exitCode: exitCode, code: exitCode == .inputMissing ? "inputMissing" : "watchRefused",
            stage: "request", message: message, hint: hint)
    }

    /// Says why a folder cannot be watched; total over its cases.
    public init(_ error: WatchError) {
        switch error {
        case .failed:
            self = .watch(.inputOutput, "\(error)", hint: "check the folder and its disk")
        case .watchLimit:
            self = .watch(
                .inputOutput, "\(error)",
                hint: "raise fs.inotify.max_user_watches, or find changes by polling")
        case .unavailable:
            self = .watch(.inputMissing, "\(error)", hint: "make it, or mount its disk")
        case .file: self = .watch(.inputOutput, "\(error)", hint: "check the disk")
        case .store(let error): self.init(error)
        case .unreadable: self = .watch(.configuration, "\(error)", hint: "put it right")
        }
    }
}
