internal import TakeupModel
internal import TakeupFetch
internal import TakeupFiles
internal import TakeupJobs

extension AttemptEnd {
    /// Bytes by which the free space must grow before a fetch goes on.
    private static let leastGrowth: Int64 = 1 << 20
    /// Seconds after which a job is tried again whose cache folder is away.
    private static let goneSeconds = 5.0

    /// What a source that could not be fetched means for the attempt.
    init(_ error: FetchError, _ fetching: Fetching) {
        guard !error.isOutOfFiles else {
            self = .tooManyFiles
            return
        }
        guard !error.isStoreGone else {
            self = .outcome(
                .returned(
                    note: "waits for the cache's own folder", delaySeconds: Self.goneSeconds))
            return
        }
        let report = Failure(error)
        switch report.disposition {
        case .retry: self = .outcome(.failed(report, retryable: true))
        case .giveUp: self = .outcome(.failed(report, retryable: false))
        case .cancelled: self = .stopped
        case .diskFull:
            guard case .storage(let path, _) = error else { preconditionFailure("no disk is full") }
            let free = (try? FreeSpace.bytes(at: Folder.containing(path))) ?? 0
            let more = free + Self.leastGrowth - fetching.minFreeBytes
            self = fetching.noRoom(for: max(Self.leastGrowth, more), at: path)
        }
    }

    /// For an address, where nothing can be fetched.
    static func unfetchable(_ address: String) -> AttemptEnd {
        .outcome(
            .failed(
                Failure(
                    exitCode: .configuration, code: "addressesNotFetched", stage: "fetch",
                    message: "this worker fetches no addresses: \(SourceText.shown(address))",
                    hint: "give it a source library, or download the file and give its path"),
                retryable: false))
    }
}
