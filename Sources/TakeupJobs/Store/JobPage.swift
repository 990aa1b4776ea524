/// A part of a list of jobs.
public struct JobPage: Sendable, Equatable {
    public var records: [JobRecord]
    /// Where the list goes on; nil at its end.
    public var next: JobCursor?
    /// Jobs among these that this version cannot read, as after a newer one wrote them.
    public var unreadable: Int

    public init(records: [JobRecord], next: JobCursor?, unreadable: Int = 0) {
        (self.records, self.next, self.unreadable) = (records, next, unreadable)
    }
}
