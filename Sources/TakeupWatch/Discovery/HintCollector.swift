/// Merges what events tell, and keeps no more than it may.
struct HintCollector {
    /// Names of one folder; with more the folder is scanned.
    let mostNames: Int
    /// Names and folders altogether; with more everything is.
    let mostHints: Int

    private var changes: [ExactPath: [ExactPath: Bool]] = [:]
    private var scans: Set<ExactPath> = []
    /// Folders of too many names, which are in `scans`.
    private var collapsed: Set<ExactPath> = []
    private var gone: Set<ExactPath> = []
    private var changeCount = 0
    private var hasOverflowed = false
    private var rootHasGone = false

    init(mostNames: Int = 1_000, mostHints: Int = 100_000) {
        (self.mostNames, self.mostHints) = (mostNames, mostHints)
    }

    /// Notes a file; nil for `isClosed` leaves what was heard before.
    mutating func change(_ name: String, in folder: String, isClosed: Bool?) {
        let folder = ExactPath(folder)
        guard !hasOverflowed, !collapsed.contains(folder) else { return }
        let name = ExactPath(name)
        let before = changes[folder]?[name]
        changes[folder, default: [:]][name] = isClosed ?? before ?? false
        guard before == nil else { return }
        changeCount += 1
        if changes[folder]?.count ?? 0 > mostNames { collapse(folder) }
        bound()
    }

    mutating func scan(_ folder: String) {
        guard !hasOverflowed else { return }
        gone.remove(ExactPath(folder))
        scans.insert(ExactPath(folder))
        bound()
    }

    mutating func leave(_ folder: String) {
        guard !hasOverflowed else { return }
        let folder = ExactPath(folder)
        scans.remove(folder)
        gone.insert(folder)
        bound()
    }

    mutating func loseRoot() { rootHasGone = true }

    mutating func overflow() {
        let rootHasGone = rootHasGone
        self = HintCollector(mostNames: mostNames, mostHints: mostHints)
        (self.rootHasGone, hasOverflowed) = (rootHasGone, true)
    }

    /// - Returns: What was collected since the last time.
    mutating func drain() -> FolderHints {
        var hints = FolderHints()
        (hints.hasOverflowed, hints.rootHasGone) = (hasOverflowed, rootHasGone)
        for (folder, names) in changes {
            let prefix = folder.text.isEmpty ? "" : folder.text + "/"
            for (name, isClosed) in names {
                hints.changes.append(.init(path: prefix + name.text, isClosed: isClosed))
            }
        }
        hints.changes.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        hints.folders = Self.sorted(scans.filter { !hasOuter($0) })
        hints.goneFolders = Self.sorted(gone)
        self = HintCollector(mostNames: mostNames, mostHints: mostHints)
        return hints
    }

    private mutating func collapse(_ folder: ExactPath) {
        changeCount -= changes.removeValue(forKey: folder)?.count ?? 0
        collapsed.insert(folder)
        scans.insert(folder)
    }

    private mutating func bound() {
        if changeCount + scans.count + gone.count > mostHints { overflow() }
    }

    private func hasOuter(_ folder: ExactPath) -> Bool {
        var outer = folder.parent
        while let next = outer {
            if scans.contains(next) { return true }
            outer = next.parent
        }
        return false
    }

    private static func sorted(_ paths: some Sequence<ExactPath>) -> [String] {
        paths.map(\.text).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}
