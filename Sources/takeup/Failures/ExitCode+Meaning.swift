import TakeupModel

extension ExitCode {
    /// What the manual page says about it.
    var meaning: String {
        switch self {
        case .success: "Done, or nothing to do."
        case .failed: "Failed."
        case .someFailed: "The batch ended, but some of its jobs failed."
        case .usage: "The command line does not make sense."
        case .notMedia: "The input is not usable media."
        case .inputMissing: "The input, the job or the cache entry is missing."
        case .unavailable: "The database or a service cannot be reached."
        case .internalError: "Internal error."
        case .outputNotCreated: "The output exists or cannot be created."
        case .inputOutput: "I/O error, or the disk is full."
        case .temporary: "Not now: trying again makes sense."
        case .verificationFailed: "The output or the file failed verification."
        case .notPermitted: "Not permitted."
        case .configuration: "The configuration or a preset is wrong."
        case .interrupted: "Stopped by SIGINT."
        case .terminated: "Stopped by SIGTERM."
        default: "Failed."
        }
    }
}
