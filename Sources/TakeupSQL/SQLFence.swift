/// Asks, inside a transaction that another module has begun, whether what it writes may be written.
///
/// A lease of a job is one: the cache records a result in the same transaction in which the queue says that the lease stands.
public typealias SQLFence = @Sendable (any SQLConnection) throws(SQLError) -> Bool
