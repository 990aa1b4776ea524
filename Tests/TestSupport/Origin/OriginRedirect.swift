/// That an object of a `TestOrigin` sends clients on.
public struct OriginRedirect: Sendable, Equatable {
    /// Where to.
    public enum Target: Sendable, Equatable {
        /// To this `Location`, as it stands: relative, another host, another scheme.
        case verbatim(String)
        /// To another path of the same origin.
        case path(String)
        /// To itself so many times, then it is served.
        case hops(Int)
        /// To itself for ever.
        case loop
    }

    /// Where to.
    public var target: Target
    /// 301, 302, 303, 307 or 308.
    public var status: Int
    /// Whether `path`, `hops` and `loop` name 127.0.0.1 and localhost in turn.
    public var alternatesHosts: Bool

    /// Clients are sent on.
    public init(_ target: Target, status: Int = 302, alternatesHosts: Bool = false) {
        self.target = target
        self.status = status
        self.alternatesHosts = alternatesHosts
    }

    /// The `Location` for a request; nil when it is to be served.
    func location(for request: OriginRequest, number: Int, port: UInt16) -> String? {
        let host = alternatesHosts && number % 2 == 1 ? "localhost" : "127.0.0.1"
        let base = "http://\(host):\(port)"
        let hop = request.parameter("hop").flatMap { Int($0) } ?? 0
        return switch target {
        case .verbatim(let text): text
        case .path(let path): base + path
        case .hops(let count): hop < count ? "\(base)\(request.path)?hop=\(hop + 1)" : nil
        case .loop: base + request.path
        }
    }
}
