internal import TakeupHTTP

/// Finds the route of a request.
package struct Router: Sendable {
    package enum Match: Sendable {
        case route(Route, parameters: [String: String])
        /// The path is there, for these methods only.
        case methods([String])
        case nothing
        /// The path cannot be decoded.
        case malformed
    }

    /// Methods that routes may have.
    package static let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
    /// Methods that are understood, though no route has them; another one is answered with 501.
    static let knownMethods = methods + ["TRACE", "CONNECT", "QUERY"]

    private struct Entry: Sendable {
        let route: Route
        let pattern: RoutePattern
    }

    private let entries: [Entry]

    package init(_ routes: [Route]) {
        entries = routes.map { Entry(route: $0, pattern: RoutePattern($0.pattern)) }
            .sorted { $0.pattern.rank.lexicographicallyPrecedes($1.pattern.rank) }
        let names = entries.map { "\($0.route.method) \($0.pattern.shape)" }
        precondition(Set(names).count == names.count, "two routes are the same")
    }

    package func match(method: String, path: String) -> Match {
        var segments: [String] = []
        let parts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        for part in parts {
            guard let text = PercentText.decoded(part) else { return .malformed }
            segments.append(text)
        }
        // HEAD is what GET would say.
        let wanted = method == "HEAD" ? ["HEAD", "GET"] : [method]
        var methods: Set<String> = []
        for entry in entries {
            guard let parameters = entry.pattern.match(segments) else { continue }
            if wanted.contains(entry.route.method) {
                return .route(entry.route, parameters: parameters)
            }
            methods.insert(entry.route.method)
        }
        guard !methods.isEmpty else { return .nothing }
        if methods.contains("GET") { methods.insert("HEAD") }
        methods.insert("OPTIONS")
        return .methods(Self.methods.filter(methods.contains))
    }
}

extension RoutePattern {
    /// The pattern without its names.
    fileprivate var shape: String {
        segments.map { segment in
            switch segment {
            case .literal(let text): "/\(text)"
            case .name: "/{}"
            case .rest: "/{...}"
            }
        }.joined()
    }
}
