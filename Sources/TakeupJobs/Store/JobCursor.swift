/// A place in the list of jobs, which stays where it is whatever comes, ends or is forgotten.
public struct JobCursor: Sendable, Hashable, CustomStringConvertible {
    let createdAt: Double
    let sequence: Int64

    init(createdAt: Double, sequence: Int64) {
        (self.createdAt, self.sequence) = (createdAt, sequence)
    }

    /// Reads what `description` has written.
    ///
    /// - Returns: nil for anything else.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let bits = UInt64(parts[0], radix: 16),
            let sequence = Int64(parts[1], radix: 16), sequence >= 0
        else { return nil }
        let time = Double(bitPattern: bits)
        guard time.isFinite else { return nil }
        self.init(createdAt: time, sequence: sequence)
    }

    public var description: String {
        "\(String(createdAt.bitPattern, radix: 16))-\(String(sequence, radix: 16))"
    }
}

extension JobRecord {
    /// Where the job is in the list: what comes after it is older.
    public var cursor: JobCursor { JobCursor(createdAt: createdAt, sequence: sequence) }
}
