import TakeupFiles

/// A file as one writer makes it, at every moment of a simulated time.
struct SimulatedWriter {
    /// What the file is from a moment on.
    struct Moment {
        let seconds: Double
        let identity: FileIdentity
        let isOpen: Bool
        /// Whether the writer closes it here or moves it into its name.
        let isDone: Bool
    }

    /// What the clock of the day says at 0 of the other one.
    static let wallAtZero = 1_700_000_000.0

    private(set) var moments: [Moment] = []
    private var bytes: Int64 = 0
    private var inode: Int64 = 1
    private(set) var now: Double

    init(from seconds: Double) {
        now = seconds
    }

    /// When the file is whole.
    var endSeconds: Double { moments.last?.seconds ?? 0 }

    mutating func wait(_ seconds: Double) { now += seconds }

    mutating func write(_ count: Int64) {
        bytes += count
        note(isOpen: true)
    }

    mutating func truncate() {
        bytes = 0
        note(isOpen: true)
    }

    mutating func close() { note(isOpen: false, isDone: true) }

    /// Another file takes the name, whole and with times of its own.
    mutating func moveIn(_ count: Int64) {
        (inode, bytes) = (inode + 1, count)
        note(isOpen: false, isDone: true, ageSeconds: 86_400)
    }

    /// Writes so many pieces, and stands still before each for a while.
    mutating func write(pieces: Int, pauses: () -> Double) {
        for _ in 0..<pieces {
            wait(pauses())
            write(50_000)
        }
    }

    func last(at seconds: Double) -> Moment? {
        moments.last { $0.seconds <= seconds }
    }

    private mutating func note(isOpen: Bool, isDone: Bool = false, ageSeconds: Double = 0) {
        // Closing changes no time.
        let closes = isDone && ageSeconds == 0
        let time = closes ? moments.last?.identity.changedNanoseconds : nil
        let wall = (Self.wallAtZero + now) * 1e9
        let identity = FileIdentity(
            device: 1, inode: inode, bytes: bytes,
            modifiedNanoseconds: time ?? Int64(wall - ageSeconds * 1e9),
            changedNanoseconds: time ?? Int64(wall))
        moments.append(Moment(seconds: now, identity: identity, isOpen: isOpen, isDone: isDone))
    }
}
