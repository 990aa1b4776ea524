internal import TakeupLanes

/// Copies the objects that rows name from one store to another, several at once; removes nothing.
///
/// Each file is hashed before it is sent, and the target checks what it gets. What is there already with the right
/// content is not sent again, so that a copy may be repeated while others work on the source.
public struct ObjectCopy: Sendable {
    /// Files that are on their way at once.
    private static let parallel = 4

    /// What was done.
    public struct Tally: Sendable, Equatable {
        /// Files that the rows name.
        public var objects = 0
        public var copied = 0
        public var copiedBytes: Int64 = 0
        /// Were there with the right content.
        public var present = 0
        public var presentBytes: Int64 = 0
        /// Files that the source lacks, and that nobody removed while the copy ran.
        public var missing: [ObjectName] = []
        /// Files whose content in the source is not what their names say.
        public var damaged: [ObjectName] = []
        /// Whether it was stopped before the end.
        public var isStopped = false
    }

    private struct State {
        var next = 0
        var tally = Tally()
        var error: CacheError?
    }

    private let manifest: Manifest
    private let source: any ObjectStore
    private let target: any ObjectStore

    public init(_ manifest: Manifest, from source: any ObjectStore, to target: any ObjectStore) {
        (self.manifest, self.source, self.target) = (manifest, source, target)
    }

    /// Copies; blocks.
    ///
    /// - Parameters:
    ///   - isStopped: Asked before each file.
    ///   - onObject: Told after each file how far it is; called on several threads.
    /// - Returns: What was done.
    /// - Throws: `CacheError` of the first file that could not be read or written; others stay copied.
    public func perform(
        isStopped: @escaping @Sendable () -> Bool,
        onObject: @escaping @Sendable (Tally) -> Void = { _ in }
    ) throws(CacheError) -> Tally {
        var seen: Set<ObjectName> = []
        let rows = try manifest.entries().filter { seen.insert($0.object).inserted }
        let state = Locked(State())
        state.withLock { $0.tally.objects = rows.count }
        let group = LaneGroup()
        for _ in 0..<min(Self.parallel, rows.count) {
            group.start("takeup.copy") {
                while let row = Self.next(rows, state, isStopped()) {
                    do throws(CacheError) {
                        let outcome = try copy(row)
                        onObject(state.withLock { $0.tally.add(row, outcome) })
                    } catch {
                        state.withLock { $0.error = $0.error ?? error }
                    }
                }
            }
        }
        group.wait()
        let end = state.withLock { $0 }
        if let error = end.error { throw error }
        return end.tally
    }

    private static func next(
        _ rows: [ManifestEntry], _ state: Locked<State>, _ isStopped: Bool
    ) -> ManifestEntry? {
        state.withLock { state in
            guard state.error == nil, state.next < rows.count else { return nil }
            guard !isStopped else {
                state.tally.isStopped = true
                return nil
            }
            state.next += 1
            return rows[state.next - 1]
        }
    }

    fileprivate enum Outcome {
        case copied, present, missing, damaged
        /// No row names it any more.
        case gone
    }

    private func copy(_ row: ManifestEntry) throws(CacheError) -> Outcome {
        if try target.holds(row.object, bytes: row.bytes) { return .present }
        var outcome = Outcome.damaged
        switch try source.open(row.object, bytes: row.bytes) {
        case .found(let file):
            if try source.isWhole(file) {
                try target.take(file)
                return .copied
            }
        case .damaged: break
        case .missing: outcome = .missing
        }
        return try manifest.isRecorded(row.object, bytes: row.bytes) ? outcome : .gone
    }
}

extension ObjectCopy.Tally {
    fileprivate mutating func add(
        _ row: ManifestEntry, _ outcome: ObjectCopy.Outcome
    ) -> ObjectCopy.Tally {
        switch outcome {
        case .copied: (copied, copiedBytes) = (copied + 1, copiedBytes + row.bytes)
        case .present: (present, presentBytes) = (present + 1, presentBytes + row.bytes)
        case .missing: missing.append(row.object)
        case .damaged: damaged.append(row.object)
        case .gone: objects -= 1
        }
        return self
    }
}
