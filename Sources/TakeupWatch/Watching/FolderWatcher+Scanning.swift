internal import TakeupFiles

/// What scans find.
extension FolderWatcher {
    /// Looks at everything below the folder; what is not found any more has gone.
    func scanAll(_ open: borrowing OpenRoot) throws(WatchError) {
        let began = clock.forward()
        // Rules that cannot be read now are no leave to take everything.
        if try duties.prepare() { try reconsider() }
        scans += 1
        dirty = []
        let (result, isTrue) = scan(open.descriptor, below: "")
        if result.isWhole, isTrue {
            let gone = known.filter { $0.value.scan != scans }.keys
            try ledger.markGone(gone.map(\.text), in: folder)
            for path in gone { known[path] = nil }
        }
        let seconds = clock.forward() - began
        scanSeconds = seconds
        scanAt = clock.forward() + settings.intervals.pause(mode, lastScanSeconds: seconds)
        duties.tell(.scanned(result, seconds: seconds))
    }

    /// Has the next scan ask anew what is to be made of every file.
    private func reconsider() throws(WatchError) {
        for file in try ledger.sketches(in: folder) {
            let key = ExactPath(file.path)
            guard known[key]?.identity == file.identity else { continue }
            known[key]?.work = file.work
            known[key]?.hasFacts = file.hasFacts
        }
    }

    /// Looks at the folders that events have named.
    func scanDirty(_ open: borrowing OpenRoot) throws(WatchError) {
        let folders = dirty
        dirty = []
        for path in folders { _ = scan(open.descriptor, below: path.text) }
    }

    /// - Returns: `isTrue` is false when a disk is missing on which files were found before.
    private func scan(
        _ descriptor: Int32, below path: String
    ) -> (result: ScanResult, isTrue: Bool) {
        var isTrue = true
        let scan = TreeScan(
            root: descriptor, admits: { [self] in admits($0) }, refusal: duties.refusal,
            isStopped: duties.isStopped)
        let result = scan.run(below: path) { finding in
            switch finding {
            case .file(let path, let mark): consider(path, mark)
            case .folder(let path, let descriptor, let startsFileSystem):
                if startsFileSystem { mounts.insert(ExactPath(path)) }
                if !startsFileSystem, mounts.contains(ExactPath(path)) { isTrue = false }
                arm(path, descriptor)
                duties.enter(path)
            case .passedOver(let path, .own(let reason)):
                guard toldOwn.insert(ExactPath(path)).inserted else { break }
                duties.tell(.notEntered(path: path, reason: reason))
            case .passedOver(let path, let why):
                duties.tell(.passedOver(path: path, reason: why.reason))
            case .unreadable(let path, let errno):
                if toldUnreadable.insert(ExactPath(path)).inserted {
                    duties.tell(.unreadable(path: path, errno: errno))
                }
            }
        }
        return (result, isTrue)
    }

    private func arm(_ path: String, _ descriptor: Int32) {
        do throws(WatchError) {
            try events?.arm(path, descriptor: descriptor)
        } catch {
            guard case .watchLimit = error else { return }
            poll()
        }
    }

    /// Whether something else than before is to be made of a file, as after a change of settings.
    private func isChanged(_ file: Known, _ path: String, _ mark: FileMark) -> Bool {
        guard let before = file.work else { return false }
        // What nobody has looked into is looked into now that rules ask for it.
        if !file.hasFacts, duties.needsFacts(path) { return true }
        let facts = file.hasFacts ? (try? ledger.file(path, in: folder))??.facts : nil
        // A wish that cannot be told now changes nothing.
        guard let wish = try? duties.wish(path, mark, facts) else { return false }
        switch wish {
        case .skip: return !before.isEmpty && before != WatchedFile.ownOutput
        case .work(let work): return before != work && before != WatchedFile.ownOutput
        }
    }

    /// Notes a file that a scan has found.
    private func consider(_ path: String, _ mark: FileMark) {
        let key = ExactPath(path)
        // By its place: a path is hashed once for each of a hundred thousand files.
        if let place = known.index(forKey: key) {
            let file = known.values[place]
            known.values[place].scan = scans
            if file.work != nil { known.values[place].work = nil }
            guard file.identity != mark.identity || isChanged(file, path, mark) else { return }
            recall(path)
            known[key] = nil
        }
        if pending[key] == nil { pending[key] = Pending(dueAt: clock.forward()) }
    }
}
