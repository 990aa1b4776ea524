package import TakeupFiles
internal import TakeupLanes
package import TakeupWatch

/// Whether the folder of outputs of one watched folder is there, and can be written to; confined to that one's lane.
package final class OutputGuard {
    /// How long a disk may take to answer at the start, in seconds.
    private static let answerSeconds = 5.0

    private let ledger: WatchLedger
    private var root: OutputRoot
    private var remembered: RootMemory?
    /// Why it was not there at the last look; nil when it was.
    package private(set) var absence: String?
    /// Why nothing could be written there at the last look, though it was there; nil when it could.
    package private(set) var refusal: FileError?
    /// Why nothing is handed over; a full disk holds up the queue by itself, and its jobs lose nothing.
    package var obstacle: String? {
        if case .diskFull = refusal { return absence }
        return absence ?? refusal?.reasonOfFolder
    }

    package var path: String { root.path }

    package init(_ path: String, _ ledger: WatchLedger) throws(WatchError) {
        remembered = try ledger.outputMemory(of: path)
        root = try OutputRoot(path, memory: remembered)
        self.ledger = ledger
    }

    /// Why the folders for requests' outputs are not there now: nil for each that is, and where there is none.
    ///
    /// Each is looked at on a lane of its own: a disk that hangs counts as missing, and holds up nobody else.
    package static func absences(
        _ requests: [WatchRequest], _ ledger: WatchLedger
    ) async throws(WatchError) -> [String?] {
        let found = Locked<[Result<String?, WatchError>]>(
            requests.map { .success($0.output == nil ? nil : "it does not answer") })
        let done = Bell()
        for (number, request) in requests.enumerated() {
            Lane("takeup.output").start {
                let result = Result { () throws(WatchError) in try absence(request, ledger) }
                found.withLock { $0[number] = result }
                done.ring()
            }
        }
        await withCheckedContinuation { continuation in
            Lane("takeup.output").start {
                let end = ContinuousClock.now + .seconds(Self.answerSeconds)
                for _ in requests { done.wait(until: end) }
                continuation.resume()
            }
        }
        var absences: [String?] = []
        for result in found.withLock({ $0 }) { absences.append(try result.get()) }
        return absences
    }

    private static func absence(
        _ request: WatchRequest, _ ledger: WatchLedger
    ) throws(WatchError) -> String? {
        guard let path = request.output else { return nil }
        let output = try OutputGuard(path, ledger)
        try output.look()
        return output.absence
    }

    /// - Throws: `WatchError.store`.
    package func look() throws(WatchError) {
        absence = root.look()
        refusal = absence == nil ? root.refusal() : nil
        guard absence == nil, let memory = root.memory, memory != remembered else { return }
        try ledger.remember(output: memory, of: path)
        remembered = memory
    }

    /// - Throws: `WatchError.unavailable` when it was not there at the last look.
    package func require() throws(WatchError) {
        if let absence { throw .unavailable(path: path, reason: absence) }
    }
}

extension FileError {
    /// Why Takeup cannot write files into a folder, for people.
    package var reasonOfFolder: String { "it cannot be written to: \(reason)" }
}
