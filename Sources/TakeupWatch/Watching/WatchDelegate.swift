/// What a watcher leaves to those who know media and jobs; called on its lane.
public struct WatchDelegate {
    /// What is to be made of a file.
    public enum Wish: Equatable, Sendable {
        /// A key of the preset's content and the output's name, by which a change of either is seen.
        case work(String)
        /// Nothing, for a reason.
        case skip(String)
    }

    /// Reads anew what says which names are passed over; called before each scan of everything.
    ///
    /// Returns whether something else may be wished of files that are known.
    public var prepare: () throws(WatchError) -> Bool
    /// Called for each folder that a scan enters; the watched one is empty.
    public var enter: (_ folder: String) -> Void = { _ in }
    /// Why a name is passed over unread; nil for one that is taken, or entered.
    public var reasonToPassOver: (ScanEntry) -> String?
    /// Why a folder is not entered, by what it is, whichever path leads to it; nil for one that is.
    public var refusal: (FilePlace) -> String? = { _ in nil }
    /// What is to be made of a file that is whole, by its path from the folder on.
    ///
    /// Its facts are nil where nobody has asked `examine`.
    public var wish: (_ path: String, FileMark, FileFacts?) throws(WatchError) -> Wish
    /// Looks into an open file that stands still, where that is needed; nil says that it is not.
    ///
    /// Throws what may be otherwise the next time; it is asked again then.
    public var examine:
        (_ path: String, _ descriptor: Int32, Writers) throws(WatchError) -> Examination?
    /// Whether rules ask for what is in a file.
    public var needsFacts: (_ path: String) -> Bool = { _ in false }
    /// Why nothing can be handed over now; nil when files can.
    public var obstacle: () -> String? = { nil }
    /// Called during long work; `true` ends the work soon.
    public var isStopped: () -> Bool = { false }
    /// What was found in a file.
    public struct Examination: Equatable, Sendable {
        public var facts: FileFacts
        /// Why it counts as unfinished; nil for one that is whole, or is no media at all.
        public var gap: String?

        public init(_ facts: FileFacts, gap: String? = nil) {
            (self.facts, self.gap) = (facts, gap)
        }
    }

    /// Whether anybody writes an open file; a test says so itself.
    var writers: (Int32) -> Writers = Writers.ofFile
    /// Makes a job of a new file, durable when this returns, and gives its id; the same file gives the same id.
    public var hand: (WatchedFile) throws(WatchError) -> String
    /// The content of an open file in short; nil when it changed meanwhile.
    public var fingerprint: (_ descriptor: Int32) throws(WatchError) -> String?
    /// What is to be done with the source of an output that stands, when one comes back; nil leaves it.
    public var action: (WatchedFile) throws(WatchError) -> SourceAction? = { _ in nil }
    public var tell: (WatchNote) -> Void
    /// Which hooks are to be told that a file is handed or skipped; recorded together with that.
    public var notices: (WatchedFile) throws(WatchError) -> [OutboxEntry] = { _ in [] }

    public init(
        prepare: @escaping () throws(WatchError) -> Bool = { false },
        reasonToPassOver: @escaping (ScanEntry) -> String?,
        wish: @escaping (String, FileMark, FileFacts?) throws(WatchError) -> Wish,
        examine: @escaping (String, Int32, Writers) throws(WatchError) -> Examination? = {
            _, _, _ in nil
        },
        hand: @escaping (WatchedFile) throws(WatchError) -> String,
        fingerprint: @escaping (Int32) throws(WatchError) -> String?,
        tell: @escaping (WatchNote) -> Void
    ) {
        (self.prepare, self.reasonToPassOver, self.wish) = (prepare, reasonToPassOver, wish)
        self.examine = examine
        (self.hand, self.fingerprint, self.tell) = (hand, fingerprint, tell)
    }
}
