/// What a `TestOrigin` counts over all paths.
public struct OriginTotals: Sendable, Equatable {
    /// Connections that were accepted.
    public internal(set) var connections = 0
    /// Connections that are open now.
    public internal(set) var openConnections = 0
    /// The most that were open at one time.
    public internal(set) var peakConnections = 0
    /// Requests that were read.
    public internal(set) var requests = 0
    /// Requests whose answers are under way now.
    public internal(set) var openRequests = 0
    /// The most whose answers were under way at one time.
    public internal(set) var peakRequests = 0
    /// Bytes of bodies that the system has taken, without the framing of chunks.
    public internal(set) var bodyBytes: Int64 = 0

    mutating func open() {
        connections += 1
        openConnections += 1
        peakConnections = max(peakConnections, openConnections)
    }

    mutating func close() {
        openConnections -= 1
    }

    mutating func beginRequest() {
        requests += 1
        openRequests += 1
        peakRequests = max(peakRequests, openRequests)
    }

    mutating func endRequest() {
        openRequests -= 1
    }
}
