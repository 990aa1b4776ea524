internal import TakeupModel

/// Which jobs are listed: the ones accepted last first, a page at a time.
public struct JobListing: Sendable, Equatable {
    /// Jobs of one page, unless the caller wants fewer.
    public static let pageSize = 500

    /// Nil for every state.
    public var states: Set<JobState>?
    /// Only jobs that were accepted then or later, in seconds since 1970.
    public var acceptedSince: Double?
    public var source: SourceMatch?
    /// A preset's name.
    public var preset: String?
    /// What their ids begin with.
    public var idPrefix: String?
    /// What a person looks for.
    public var search: JobSearch?
    /// Only what comes after it in the list.
    public var after: JobCursor?
    /// The most jobs of this page, at least 1.
    public var limit: Int

    public init(after: JobCursor? = nil, limit: Int = JobListing.pageSize) {
        (self.after, self.limit) = (after, limit)
    }

    /// Whether a job is one of those, but for its place in the list.
    public func includes(_ record: JobRecord) -> Bool {
        let id = record.id.rawValue
        return states?.contains(record.state) ?? true
            && acceptedSince.map { record.createdAt >= $0 } ?? true
            && source.map { record.spec.request.sources.contains(where: $0.includes) } ?? true
            && preset.map { $0.utf8.elementsEqual(record.spec.request.preset.name.utf8) } ?? true
            && idPrefix.map { id.utf8.starts(with: $0.utf8) } ?? true
            && search?.includes(record) ?? true
    }
}
