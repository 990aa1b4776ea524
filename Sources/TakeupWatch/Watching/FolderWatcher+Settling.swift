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
            if clock.forward() - now > 1 { return }
        }
    }

    /// By their bytes.
    private static func isBefore(_ one: String, _ other: String) -> Bool {
        one.utf8.lexicographicallyPrecedes(other.utf8)
    }

    private func look(at path: String, in root: Int32) throws(WatchError) {
        guard let file = pending[ExactPath(path)] else { return }
        guard let mark = (try? FileMark.of(path, in: root)) ?? nil else { return forget(path) }
        if known[ExactPath(path)]?.identity == mark.identity { return forget(path) }
        let sighting = FileSighting(
            mark.identity, now: clock.forward(), wallSeconds: clock.wall(), isDone: file.wasClosed)
        pending[ExactPath(path)]?.wasClosed = false
        switch stability.observe(path, sighting) {
        case .waiting(let until):
            pending[ExactPath(path)]?.obstacle = mark.identity.bytes == 0 ? "it is empty" : nil
            pending[ExactPath(path)]?.dueAt = max(
                clock.forward() + 0.1, min(until, clock.forward() + Self.lookSeconds))
        case .settled:
            do throws(WatchError) {
                try settle(path, mark, in: root)
            } catch {
                if case .store = error { throw error }
                let words = "\(error)"
                if file.obstacle != words { duties.tell(.postponed(path: path, error)) }
                wait(path, words, seconds: Self.postponedSeconds)
            }
        }
    }

    /// Looks again later at a file that stands still and cannot be taken.
    private func wait(_ path: String, _ obstacle: String, seconds: Double) {
        pending[ExactPath(path)]?.obstacle = obstacle
        pending[ExactPath(path)]?.dueAt = clock.forward() + seconds
    }

    /// Takes a file for new when it is seen again.
    public func forget(_ file: WatchedFile) {
        known[ExactPath(file.path)] = nil
        forget(file.path)
    }

    private func forget(_ path: String) {
        pending[ExactPath(path)] = nil
        stability.forget(path)
    }

    /// Decides about a file that stands still.
    private func settle(_ path: String, _ mark: FileMark, in root: Int32) throws(WatchError) {
        let isThere = { (path: String) in ((try? FileMark.of(path, in: root)) ?? nil) != nil }
        guard settings.marker.isReady(path, isThere: isThere) else {
            return wait(path, "its marker is not there", seconds: Self.lookSeconds)
        }
        let file = openat(root, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { throw .failed(path: path, errno: errno) }
        defer { close(file) }
        guard Writers.ofFile(file) != .some else {
            return wait(path, "it is open for writing", seconds: Self.lookSeconds)
        }
        guard FileIdentity(descriptor: file) == mark.identity,
            let content = try duties.fingerprint(file)
        else {
            pending[ExactPath(path)]?.dueAt = clock.forward() + Self.lookSeconds
            return
        }
        try decide(path, mark, content, in: root)
        known[ExactPath(path)] = Known(identity: mark.identity, work: nil, scan: scans)
        forget(path)
    }

    private func decide(
        _ path: String, _ mark: FileMark, _ content: String, in root: Int32
    ) throws(WatchError) {
        var file = WatchedFile(
            folder: folder, path: path, identity: mark.identity, fingerprint: content, work: "")
        switch duties.wish(path, mark) {
        case .skip(let reason):
            file.reason = reason
            try ledger.record(file, telling: duties.notices(file))
            duties.tell(.skipped(file))
        case .work(let work):
            file.work = work
            let twins = try ledger.files(holding: content, in: folder)
            let recognition = Recognition(
                path, for: work, among: twins, on: settings.onWorkChange,
                isThere: { ((try? FileMark.of($0, in: root)) ?? nil) != nil })
            try take(file, recognition)
        }
    }

    private func take(_ file: WatchedFile, _ recognition: Recognition) throws(WatchError) {
        var file = file
        switch recognition {
        case .known(var same):
            same.identity = file.identity
            try ledger.record(same)
        case .moved(let before):
            try ledger.move(before, to: file.path, identity: file.identity)
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
