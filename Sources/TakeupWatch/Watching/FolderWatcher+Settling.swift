internal import Foundation
internal import TakeupFiles

/// What becomes of files that stand still.
extension FolderWatcher {
    /// Looks at the files that are due, for a second: the others stay due.
    func lookAtPending(_ open: borrowing OpenRoot) throws(WatchError) {
        let now = clock.forward()
        let due = pending.filter { $0.value.dueAt <= now }.keys.map(\.text)
        for path in due.sorted(by: Self.isBefore) {
            try look(at: path, in: open.descriptor)
            if clock.forward() - now > 1 || duties.isStopped() { break }
        }
        // One file that waits for ever must not keep every folder that ever had one.
        if neighbours.count > max(Self.mostNeighbours, pending.count) { neighbours = [:] }
    }

    /// By their bytes.
    private static func isBefore(_ one: String, _ other: String) -> Bool {
        one.utf8.lexicographicallyPrecedes(other.utf8)
    }

    private func look(at path: String, in root: Int32) throws(WatchError) {
        guard let file = pending[ExactPath(path)] else { return }
        do throws(WatchError) {
            try judge(path, file, in: root)
        } catch {
            if case .store = error { throw error }
            let words = error.description(of: path)
            if file.obstacle != words { duties.tell(.postponed(path: path, error)) }
            wait(path, words, seconds: Self.postponedSeconds)
        }
    }

    private func judge(_ path: String, _ file: Pending, in root: Int32) throws(WatchError) {
        guard let mark = try FileMark.of(path, in: root) else { return forget(path) }
        if known[ExactPath(path)]?.identity == mark.identity { return forget(path) }
        recall(path)
        let sighting = FileSighting(
            mark.identity, now: clock.forward(), wallSeconds: clock.wall(), isDone: file.wasClosed)
        pending[ExactPath(path)]?.wasClosed = false
        let own = stability.observe(path, sighting)
        if case .settled = own {
            pending[ExactPath(path)]?.stillAt = file.stillAt ?? clock.forward()
        } else {
            pending[ExactPath(path)]?.stillAt = nil
        }
        switch try whole(own, path, in: root) {
        case .waiting(let until):
            note(mark.identity.bytes == 0 ? "it is empty" : nil, of: path)
            pending[ExactPath(path)]?.gapAt = nil
            pending[ExactPath(path)]?.dueAt = max(
                clock.forward() + 0.1, min(until, clock.forward() + Self.lookSeconds))
        case .settled: try settle(path, mark, in: root)
        }
    }

    /// What the clock says of a film together with its sound and subtitles in files of their own.
    private func whole(
        _ verdict: StabilityClock.Verdict, _ path: String, in root: Int32
    ) throws(WatchError) -> StabilityClock.Verdict {
        var end: Double?
        if case .waiting(let seconds) = verdict { end = seconds }
        let others = try sideCars(of: path, in: root)
        // What never stands still keeps a film from nothing in the end.
        let still = clock.forward() - (pending[ExactPath(path)]?.stillAt ?? clock.forward())
        guard still < Self.sideCarSeconds else { return verdict }
        waitedFor[ExactPath(path)] = others.isEmpty ? nil : others
        for other in others {
            guard let mark = try FileMark.of(other, in: root) else { continue }
            let sighting = FileSighting(
                mark.identity, now: clock.forward(), wallSeconds: clock.wall())
            // One that stays empty is no part of anything.
            if mark.identity.bytes == 0, still > Self.gapSeconds { continue }
            if case .waiting(let seconds) = stability.observe(other, sighting) {
                end = max(end ?? seconds, seconds)
            }
        }
        return end.map { .waiting(untilSeconds: $0) } ?? .settled
    }

    /// The paths of what goes with a film.
    private func sideCars(of path: String, in root: Int32) throws(WatchError) -> [String] {
        let folder = Folder.names(of: path).dropLast().joined(separator: "/")
        let found = try neighbours(in: folder, of: root)
        let name = Folder.lastName(of: path)
        return found.of(name).map { folder.isEmpty ? $0 : "\(folder)/\($0)" }
    }

    /// What lies in a folder, listed anew only once the folder has changed.
    private func neighbours(
        in folder: String, of root: Int32
    ) throws(WatchError) -> SideCars {
        let key = ExactPath(folder)
        let place = folder.isEmpty ? "." : folder
        var facts = stat()
        let isThere = fstatat(root, place, &facts, AT_SYMLINK_NOFOLLOW) == 0
        let changed = Double(facts.st_mtim.tv_sec) + Double(facts.st_mtim.tv_nsec) / 1e9
        // Within one tick of its clock a folder may change twice.
        let isOld = isThere && clock.wall() - changed > 1
        if isOld, let known = neighbours[key], known.changed == changed { return known.names }
        let names = try SideCars(names(in: place, of: root))
        neighbours[key] = isOld ? Neighbours(changed: changed, names: names) : nil
        return names
    }

    private func names(in folder: String, of root: Int32) throws(WatchError) -> [String] {
        do throws(FileError) {
            return try Folder.names(in: folder, of: root)
        } catch {
            throw WatchError(error)
        }
    }

    /// Looks again later at a file that stands still and cannot be taken.
    private func wait(_ path: String, _ obstacle: String, seconds: Double) {
        note(obstacle, of: path)
        pending[ExactPath(path)]?.dueAt = clock.forward() + seconds
    }

    private func note(_ obstacle: String?, of path: String) {
        guard var file = pending[ExactPath(path)] else { return }
        file.obstacle = obstacle
        if obstacle != nil { file.obstacleAt = min(file.obstacleAt, clock.forward()) }
        pending[ExactPath(path)] = file
    }

    /// Takes a file for new when it is seen again.
    public func forget(_ file: WatchedFile) {
        known[ExactPath(file.path)] = nil
        forget(file.path)
    }

    /// Takes a name for new at the next step, whatever is known of it.
    public func lookAgain(at path: String) {
        recall(path)
        known[ExactPath(path)] = nil
        guard admits(ScanEntry(path, isFolder: false)) else { return }
        pending[ExactPath(path)] = Pending(dueAt: clock.forward())
    }

    /// What was taken and has changed since may be written with pauses that are longer than it stood still.
    func recall(_ path: String) {
        guard let before = known[ExactPath(path)]?.identity else { return }
        stability.recall(path, before, now: clock.forward(), wallSeconds: clock.wall())
    }

    private func forget(_ path: String) {
        pending[ExactPath(path)] = nil
        stability.forget(path)
        // Of these nobody else keeps count; one that is media itself waits on its own.
        for other in waitedFor.removeValue(forKey: ExactPath(path)) ?? []
        where pending[ExactPath(other)] == nil {
            stability.forget(other)
        }
    }

    /// Decides about a file that stands still.
    private func settle(_ path: String, _ mark: FileMark, in root: Int32) throws(WatchError) {
        guard try !isRefused(above: path, in: root) else { return forget(path) }
        if let obstacle = duties.obstacle() {
            return wait(path, obstacle, seconds: Self.postponedSeconds)
        }
        guard try settings.marker.isReady(path, isThere: isThere(in: root)) else {
            return wait(path, "its marker is not there", seconds: Self.lookSeconds)
        }
        let file = AnchoredPath.open(path, beneath: root, O_RDONLY | O_NONBLOCK)
        guard file >= 0 else { throw .failed(path: path, errno: errno) }
        defer { close(file) }
        let writers = duties.writers(file)
        guard writers != .some else {
            return wait(path, "it is open for writing", seconds: Self.lookSeconds)
        }
        guard FileIdentity(descriptor: file) == mark.identity,
            let content = try duties.fingerprint(file)
        else {
            pending[ExactPath(path)]?.dueAt = clock.forward() + Self.lookSeconds
            return
        }
        let examination = try duties.examine(path, file, writers)
        // Only where nobody can know: what no one is writing any more will not become whole.
        if writers == .unknown, examination?.gap != nil, isToWaitForRest(path) { return }
        var found = WatchedFile(
            folder: folder, path: path, identity: mark.identity, fingerprint: content, work: "")
        found.facts = examination?.facts
        try decide(found, mark, in: root)
        known[ExactPath(path)] = Known(identity: mark.identity, scan: scans)
        forget(path)
    }

    private func isThere(in root: Int32) -> (String) throws(WatchError) -> Bool {
        { path throws(WatchError) in try FileMark.of(path, in: root) != nil }
    }

    /// Whether nothing is taken from a folder above a file: another may be mounted there since the last scan.
    private func isRefused(above path: String, in root: Int32) throws(WatchError) -> Bool {
        var (folder, facts) = ("", stat())
        for name in Folder.names(of: path).dropLast() {
            folder = folder.isEmpty ? name : "\(folder)/\(name)"
            guard fstatat(root, folder, &facts, AT_SYMLINK_NOFOLLOW) == 0 else {
                guard Folder.isAbsence(errno) else { throw .failed(path: folder, errno: errno) }
                return false
            }
            if duties.refusal(FilePlace(facts)) != nil { return true }
        }
        return false
    }

    /// Lets a file that is not complete wait, unless it has done so for long enough.
    private func isToWaitForRest(_ path: String) -> Bool {
        let now = clock.forward()
        let since = pending[ExactPath(path)]?.gapAt ?? now
        guard now - since < Self.gapSeconds else { return false }
        pending[ExactPath(path)]?.gapAt = since
        pending[ExactPath(path)]?.dueAt = now + Self.gapLookSeconds
        return true
    }

    private func decide(
        _ found: WatchedFile, _ mark: FileMark, in root: Int32
    ) throws(WatchError) {
        var file = found
        let path = file.path
        switch try duties.wish(path, mark, file.facts) {
        case .skip(let reason):
            file.reason = reason
            try ledger.record(file, telling: duties.notices(file))
            duties.tell(.skipped(file))
        case .work(let work):
            file.work = work
            let twins = try ledger.files(holding: file.fingerprint, in: folder)
            file.again =
                twins.filter { ExactPath($0.path) == ExactPath(path) }.map(\.again).max() ?? 0
            let recognition = try Recognition(
                file, hasOtherNames: mark.links > 1, among: twins, on: settings.onWorkChange,
                isThere: isThere(in: root))
            try take(file, recognition)
        }
    }

    /// A source that went away once it was done, and comes back, goes the same way.
    ///
    /// Content is known by samples, which is no reason to remove a file that was never encoded: its job looks at all of it.
    private func actAgain(_ file: WatchedFile) throws(WatchError) {
        guard file.state == .done else { return }
        switch file.acted {
        case .move:
            guard let action = try duties.action(file), action.kind == .move else { return }
            try ledger.expect(action)
        case .trash, .delete: try ledger.askAgain(file.path, in: folder)
        case .replace, .setAside, nil: return
        }
    }

    private func take(_ file: WatchedFile, _ recognition: Recognition) throws(WatchError) {
        var file = file
        switch recognition {
        case .known(var same):
            (same.identity, same.facts) = (file.identity, file.facts ?? same.facts)
            try ledger.record(same)
            try ledger.wake(actionOf: same.path, in: folder)
            try actAgain(same)
        case .moved(let before):
            try ledger.move(before, to: file.path, identity: file.identity)
            var moved = before
            (moved.path, moved.identity) = (file.path, file.identity)
            try actAgain(moved)
            known[ExactPath(before.path)] = nil
            duties.tell(.moved(from: before.path, to: file.path))
        case .new:
            file.job = try duties.hand(file)
            file.state = .handed
            try ledger.record(file, telling: duties.notices(file))
            duties.tell(.handed(file))
        }
    }
}
