/// An HTTP/1.1 server on 127.0.0.1 for tests, whose objects can go wrong in every way.
///
/// Without a fault it answers `GET` and `HEAD` as RFC 9110 says. Its methods may be called from any
/// thread, also while answers are under way. It stops when the last reference to it goes; a test
/// that hands on its address only says `defer { origin.stop() }`, or the optimiser lets it go early.
///
/// ```swift
/// let origin = try TestOrigin()
/// origin.serve("/a.mp4", OriginObject(.synthetic(length: 1 << 30)))
/// origin.change("/a.mp4") { $0.faults.ranges = .ignored }
/// let address = origin.url("/a.mp4")
/// ```
public final class TestOrigin: Sendable {
    private let core: OriginCore

    /// Begins to listen.
    ///
    /// - Parameters:
    ///   - port: 0 is any free one.
    ///   - connectionLimit: More connections than so wait to be accepted.
    ///   - observer: Is given every request when its answer is over, on the connection's thread.
    ///   - fallback: Gives the objects of paths that have none; is asked at every request.
    /// - Throws: `ToolFailure` when it cannot listen.
    public init(
        port: UInt16 = 0, connectionLimit: Int = 256,
        observer: (@Sendable (OriginRecord) -> Void)? = nil,
        fallback: (@Sendable (String) -> OriginObject?)? = nil
    ) throws(ToolFailure) {
        core = try OriginCore(port: port, connectionLimit: connectionLimit, observer: observer)
        core.state.with { $0.fallback = fallback }
        core.start()
    }

    deinit { stop() }

    /// Ends all connections and threads, and says whether they ended in time.
    @discardableResult
    public func stop() -> Bool {
        core.requestStop()
        return core.state.wait(seconds: 30) { !$0.isListening && $0.totals.openConnections == 0 }
    }

    // MARK: - Objects

    /// Puts an object at a path, in place of any that was there.
    public func serve(_ path: String, _ object: OriginObject) {
        core.state.with { $0.sites[path] = OriginSite(object) }
    }

    /// Takes the object of a path away; bodies under way break off.
    public func remove(_ path: String) {
        core.state.with { $0.sites[path] = nil }
    }

    /// Changes what is said of an object, or its faults, which begin anew; not for its content.
    public func change(_ path: String, _ body: (inout OriginObject) -> Void) {
        core.state.with { state in
            guard var object = state.sites[path]?.object else {
                state.problems.append("change: nothing at \(path)")
                return
            }
            body(&object)
            state.sites[path]?.change(to: object)
        }
    }

    /// Puts another version of an object in its place.
    public func replace(
        _ path: String, with object: OriginObject,
        inFlight: OriginSuccession.InFlight = .finishesOld
    ) {
        core.state.with { state in
            if state.sites[path] == nil { state.problems.append("replace: nothing at \(path)") }
            state.sites[path]?.replace(with: object, inFlight: inFlight)
        }
    }

    /// Takes the stalls of a path away, and lets go on what stands still.
    public func release(_ path: String) {
        core.state.with { $0.sites[path]?.release() }
    }

    /// Ends the token of a path and returns the next one.
    @discardableResult
    public func rotateToken(_ path: String) -> String {
        core.state.with { state in
            state.sites[path]?.rotateToken()
            return state.sites[path].map { "\($0.token)" } ?? ""
        }
    }

    // MARK: - Addresses

    /// Where it listens.
    public var port: UInt16 { core.port }

    /// The address of a path, which may have a query.
    public func url(_ path: String, host: String = "127.0.0.1") -> String {
        "http://\(host):\(port)\(path)"
    }

    /// The address of a path with the token that is good now, when one is asked for.
    public func signedURL(_ path: String) -> String {
        let site = core.state.with { $0.sites[path] }
        guard let site, let name = site.object.faults.expiry?.parameter else { return url(path) }
        return url("\(path)?\(name)=\(site.token)")
    }

    // MARK: - What happened

    /// All requests in the order in which they came, those under way too, 100,000 at most.
    public var requests: [OriginRecord] {
        core.state.with { $0.records.values.sorted { $0.number < $1.number } }
    }

    /// The requests of a path.
    public func requests(_ path: String) -> [OriginRecord] {
        requests.filter { $0.path == path }
    }

    /// How many requests came for a path.
    public func requestCount(_ path: String) -> Int {
        core.state.with { $0.requestsByPath[path, default: 0] }
    }

    /// Bytes of bodies of a path that the system has taken, without the framing of chunks.
    public func bytesServed(_ path: String) -> Int64 {
        core.state.with { $0.bytesByPath[path, default: 0] }
    }

    /// What was counted over all paths.
    public var totals: OriginTotals { core.state.with { $0.totals } }

    /// What went wrong without being asked for: unreadable requests and files.
    public var problems: [String] { core.state.with { $0.problems } }

    /// Waits until something holds, and says whether it does.
    public func wait(seconds: Double = 300, until holds: (TestOrigin) -> Bool) -> Bool {
        let end = core.seconds + seconds
        while !holds(self) {
            if core.seconds >= end { return false }
            _ = core.state.wait(seconds: 0.005) { _ in false }
        }
        return true
    }
}
