package import TakeupHTTP

/// What a token permits; each includes those before it.
package enum AccessScope: String, Sendable, CaseIterable, Comparable {
    /// Everybody, without a token.
    case anyone
    case read, submit, admin

    package static func < (left: Self, right: Self) -> Bool {
        allCases.firstIndex(of: left) ?? 0 < allCases.firstIndex(of: right) ?? 0
    }
}

/// What the body of an unsafe request may be.
package enum RouteBody: Sendable {
    /// JSON that says so in its content type, which a form of another site cannot.
    case json
    /// Any bytes.
    case bytes
}

/// One path of the API and what answers it.
package struct Route: Sendable {
    /// `GET` answers HEAD, too.
    package let method: String
    /// Such as `/v1/jobs/{id}`; a name in braces takes one segment, `{name...}` at the end takes the rest.
    package let pattern: String
    package let scope: AccessScope
    package let body: RouteBody
    package let handle: @Sendable (RoutedRequest) -> RequestPlan

    /// Whether a token in a request may be one for an origin.
    var passesTokens: Bool { pattern.hasPrefix("/p/") }

    package init(
        _ method: String, _ pattern: String, _ scope: AccessScope, body: RouteBody = .json,
        _ handle: @escaping @Sendable (RoutedRequest) -> RequestPlan
    ) {
        (self.method, self.pattern, self.scope) = (method, pattern, scope)
        (self.body, self.handle) = (body, handle)
    }
}

/// A request that was let in, with what its path and query say.
package struct RoutedRequest: Sendable {
    package let http: HTTPRequest
    /// By the names of the pattern, percent-decoded.
    package let parameters: [String: String]
    /// In order, percent-decoded.
    package let query: [(name: String, value: String)]
    /// What the caller may do.
    package let scope: AccessScope
    /// Tells callers apart, for idempotency keys and limits: a digest of the token; empty without one.
    package let caller: String
    /// Polled by answers without an end: whether the caller may still have them.
    package let isAdmitted: @Sendable () -> Bool

    package init(
        http: HTTPRequest, parameters: [String: String] = [:],
        query: [(name: String, value: String)] = [], scope: AccessScope = .admin,
        caller: String = "", isAdmitted: @escaping @Sendable () -> Bool = { true }
    ) {
        (self.http, self.parameters, self.query) = (http, parameters, query)
        (self.scope, self.caller, self.isAdmitted) = (scope, caller, isAdmitted)
    }
}
