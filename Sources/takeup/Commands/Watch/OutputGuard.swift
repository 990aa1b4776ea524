import TakeupWatch

/// Whether the folder of outputs of one watched folder is there; confined to that one's lane.
final class OutputGuard {
    private let ledger: WatchLedger
    private var root: OutputRoot
    private var remembered: RootMemory?
    /// Why it was not there at the last look; nil when it was.
    private(set) var absence: String?

    var path: String { root.path }

    init(_ path: String, _ ledger: WatchLedger) throws(WatchError) {
        remembered = try ledger.outputMemory(of: path)
        root = try OutputRoot(path, memory: remembered)
        self.ledger = ledger
    }

    /// Why the folder for a request's outputs is not there now; nil when it is, or there is none.
    ///
    /// - Throws: `WatchError.store`.
    static func absence(
        _ request: WatchRequest, _ ledger: WatchLedger
    ) throws(WatchError) -> String? {
        guard let path = request.output else { return nil }
        let output = try OutputGuard(path, ledger)
        try output.look()
        return output.absence
    }

    /// - Throws: `WatchError.store`.
    func look() throws(WatchError) {
        absence = root.look()
        guard absence == nil, let memory = root.memory, memory != remembered else { return }
        try ledger.remember(output: memory, of: path)
        remembered = memory
    }

    /// - Throws: `WatchError.unavailable` when it was not there at the last look.
    func require() throws(WatchError) {
        if let absence { throw .unavailable(path: path, reason: absence) }
    }
}
