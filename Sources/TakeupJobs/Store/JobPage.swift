/// A part of a list of jobs.
public struct JobPage: Sendable, Equatable {
    public var records: [JobRecord]
    /// Where the list goes on; nil at its end.
    public var next: JobCursor?

    public init(records: [JobRecord], next: JobCursor?) {
        (self.records, self.next) = (records, next)
    }
}
