/// Which folder each watch is for.
struct WatchTable {
    private struct Node {
        let path: ExactPath
        /// Watches of the folders directly in it.
        var inside: Set<Int32> = []
    }

    private var nodes: [Int32: Node] = [:]
    private var watches: [ExactPath: Int32] = [:]

    var count: Int { nodes.count }

    /// - Returns: nil for a watch that was forgotten.
    func path(of watch: Int32) -> String? { nodes[watch]?.path.text }

    /// Notes a folder's watch; the system gives the same number again for a folder that has moved.
    ///
    /// - Returns: Watches that are of no use any more: what was at the path before, and what was below the old one.
    mutating func insert(_ watch: Int32, _ path: String) -> [Int32] {
        let path = ExactPath(path)
        if nodes[watch]?.path == path { return [] }
        var stale: [Int32] = []
        if let old = nodes[watch]?.path { stale += remove(below: old.text) }
        if watches[path] != nil { stale += remove(below: path.text) }
        nodes[watch] = Node(path: path)
        watches[path] = watch
        if let outer = path.parent.flatMap({ watches[$0] }) {
            nodes[outer]?.inside.insert(watch)
        }
        return stale.filter { $0 != watch }
    }

    /// Forgets one watch, as the system has done.
    mutating func remove(_ watch: Int32) {
        guard let node = nodes.removeValue(forKey: watch) else { return }
        watches[node.path] = nil
        if let outer = node.path.parent.flatMap({ watches[$0] }) {
            nodes[outer]?.inside.remove(watch)
        }
    }

    /// Forgets a folder with all below it.
    ///
    /// - Returns: The watches that it had.
    mutating func remove(below folder: String) -> [Int32] {
        let folder = ExactPath(folder)
        guard let top = watches[folder] else {
            // Folders in one that could not be armed hang on nothing.
            let loose = nodes.filter { $0.value.path.isBelow(folder) }.map(\.key)
            for watch in loose { remove(watch) }
            return loose
        }
        var (removed, open) = ([Int32](), [top])
        while let watch = open.popLast() {
            guard let node = nodes[watch] else { continue }
            open += node.inside
            removed.append(watch)
        }
        for watch in removed { remove(watch) }
        return removed
    }
}
