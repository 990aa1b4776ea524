internal import TakeupFetch
internal import TakeupLanes
internal import TakeupModel
internal import TakeupWorker

/// Fetches the addresses of preload lists, one at a time and in order, while nobody else fetches.
final class PreloadDesk: Sendable {
    static let mostLists = 100
    /// Seconds for which a list can be looked up after its end.
    static let keptSeconds = 3600.0
    /// Seconds between two tries of what gave way.
    private static let lookSeconds = 0.25

    fileprivate struct State {
        /// In order of arrival.
        var lists: [(id: String, list: PreloadList)] = []
        var isWorking = false
        var isStopped = false

        func place(_ id: String) -> Int? { lists.firstIndex { $0.id == id } }

        /// The next address: of the first list that has one.
        var next: Task? {
            guard !isStopped else { return nil }
            for (id, list) in lists where list.endedAt == nil {
                let index = list.items.firstIndex { $0.state == .waiting || $0.state == .fetching }
                if let index {
                    return Task(
                        id: id, index: index, address: list.items[index].address, range: list.range)
                }
            }
            return nil
        }
    }

    fileprivate struct Task {
        let id: String
        let index: Int
        let address: String
        let range: Range<Int64>?
    }

    private let library: SourceLibrary
    private let limits: SourceLimits
    private let wallClock: @Sendable () -> Double
    private let state = Locked(State())
    private let bell = Bell()
    private let group = LaneGroup()

    init(
        _ library: SourceLibrary, limits: SourceLimits, wallClock: @escaping @Sendable () -> Double
    ) {
        (self.library, self.limits, self.wallClock) = (library, limits, wallClock)
    }

    /// Adds a list at the end.
    ///
    /// - Returns: Its id; nil if there are too many.
    func add(_ list: PreloadList) -> String? {
        let now = wallClock()
        let id = "pre-" + String(UInt64.random(in: .min ... .max), radix: 36)
        let isNew: Bool? = state.withLock { state in
            state.lists.removeAll { $0.list.endedAt.map { now - $0 >= Self.keptSeconds } ?? false }
            if state.lists.count >= Self.mostLists {
                guard let ended = state.lists.firstIndex(where: { $0.list.endedAt != nil }) else {
                    return nil
                }
                state.lists.remove(at: ended)
            }
            state.lists.append((id, list))
            guard !state.isWorking, !state.isStopped else { return false }
            state.isWorking = true
            return true
        }
        if isNew == true { group.start("takeup.preload") { [self] in run() } }
        return isNew == nil ? nil : id
    }

    func list(_ id: String) -> PreloadList? {
        let now = wallClock()
        return state.withLock { state in
            guard let place = state.place(id) else { return nil }
            let list = state.lists[place].list
            return list.endedAt.map { now - $0 >= Self.keptSeconds } ?? false ? nil : list
        }
    }

    /// Cancels a list; a second time changes nothing.
    ///
    /// - Returns: `false` for a list that is not here.
    func cancel(_ id: String) -> Bool {
        let now = wallClock()
        defer { bell.ring() }
        return state.withLock { state in
            guard let place = state.place(id) else { return false }
            guard state.lists[place].list.endedAt == nil else { return true }
            state.lists[place].list.cancel(at: now)
            return true
        }
    }

    /// Stops for good and waits for the end; stored bytes stay.
    func stop() {
        state.withLock { $0.isStopped = true }
        bell.ring()
        group.wait()
    }

    private func run() {
        while let task = next() {
            if !attempt(task) { bell.wait(seconds: Self.lookSeconds) }
        }
    }

    /// - Returns: nil if there is nothing to do; the thread then ends.
    private func next() -> Task? {
        state.withLock { state in
            let next = state.next
            state.isWorking = next != nil
            if let next { state.change(next) { $0.state = .fetching } }
            return next
        }
    }

    private func isWanted(_ task: Task) -> Bool {
        state.withLock { state in
            guard !state.isStopped, let place = state.place(task.id) else { return false }
            return state.lists[place].list.endedAt == nil
        }
    }

    /// - Returns: Whether the address needs no more work.
    private func attempt(_ task: Task) -> Bool {
        let result = Result { () throws(FetchError) in
            try library.prefetch(
                WantedSource(task.address), task.range, within: limits, joinsPlaylists: false
            ) { !isWanted(task) }
        }
        let now = wallClock()
        return state.withLock { state in
            var isOver = true
            state.change(task) { item in isOver = item.take(result) }
            if isOver { state.settle(task.id, at: now) }
            return isOver
        }
    }
}

extension PreloadDesk.State {
    fileprivate mutating func change(
        _ task: PreloadDesk.Task, _ body: (inout PreloadList.Item) -> Void
    ) {
        guard let place = place(task.id), lists[place].list.endedAt == nil else { return }
        body(&lists[place].list.items[task.index])
    }

    fileprivate mutating func settle(_ id: String, at now: Double) {
        guard let place = place(id), lists[place].list.endedAt == nil else { return }
        let isLeft = lists[place].list.items.contains {
            $0.state == .waiting || $0.state == .fetching
        }
        if !isLeft { lists[place].list.endedAt = now }
    }
}

extension PreloadList {
    fileprivate mutating func cancel(at now: Double) {
        (isCancelled, endedAt) = (true, now)
        for index in items.indices {
            switch items[index].state {
            case .waiting: items[index].end(.failed, "cancelled", "cancelled before it began")
            case .fetching: items[index].end(.partial, "cancelled", "cancelled while it came")
            case .done, .partial, .failed: break
            }
        }
    }
}

extension PreloadList.Item {
    /// Takes in how a try ended.
    ///
    /// - Returns: Whether the address needs no more work.
    fileprivate mutating func take(_ result: Result<PrefetchEnd, FetchError>) -> Bool {
        switch result {
        case .success(.complete): end(.done)
        case .success(.beyondEnd):
            end(.failed, "beyondEnd", "the source ends before the range begins")
        case .success(.playlist): end(.failed, "playlist", PreloadList.playlistHint)
        case .success(.noRoom):
            end(.partial, "noRoom", "more would push other sources out of the cache")
        case .success(.gaveWay), .success(.leftToReader), .success(.elsewhere),
            .failure(.cancelled):
            state = .waiting
            return false
        case .failure(let error):
            let failure = Failure(error)
            end(.failed, failure.code, failure.message)
        }
        return true
    }
}
