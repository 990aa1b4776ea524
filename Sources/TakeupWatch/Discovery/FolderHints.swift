/// What may have changed, as events tell it: a reason to look, never a proof.
///
/// Paths go from the root on; the root's own is empty. They are not filtered by what a scan would admit.
public struct FolderHints: Sendable, Equatable {
    /// A file that may have come, changed or gone.
    public struct Change: Sendable, Equatable {
        public let path: String
        /// Whether the last that was heard is that a writer has closed it, or that it was moved here whole.
        public let isClosed: Bool

        public init(path: String, isClosed: Bool) {
            (self.path, self.isClosed) = (path, isClosed)
        }
    }

    /// Sorted by their bytes.
    public internal(set) var changes: [Change] = []
    /// Folders to be scanned with all below them and armed again; none lies below another, sorted by their bytes.
    public internal(set) var folders: [String] = []
    /// Folders that were moved away or removed, with all below them, sorted by their bytes.
    public internal(set) var goneFolders: [String] = []
    /// Events were lost: everything has to be scanned, and every folder armed again.
    public internal(set) var hasOverflowed = false
    /// The watched folder itself was moved, removed or unmounted: it has to be opened anew.
    public internal(set) var rootHasGone = false

    public init() {}

    public var isEmpty: Bool { self == FolderHints() }
}
