internal import Foundation
internal import TakeupHTTP
package import TakeupModel
package import TakeupTelemetry

/// Decides who may do what.
package final class AccessGuard: Sendable {
    /// The cookie of a browser's session.
    static let cookieName = "takeup_session"
    /// A wrong token costs so long, on its own connection only.
    static let wrongTokenSeconds = 0.25

    /// Somebody who was let in.
    package struct Caller: Sendable, Equatable {
        package let scope: AccessScope
        /// Of the token; empty without one.
        package let digest: String
    }

    let rules: AccessRules
    private let tokens: TokenFile?
    private let sessions = SessionStore()
    private let now: @Sendable () -> Double
    private let pause: @Sendable (Double) -> Void

    /// - Parameters:
    ///   - rules: What was configured.
    ///   - log: Told when the tokens change.
    ///   - now: Seconds of a clock that never goes back.
    ///   - pause: Waits for so many seconds.
    /// - Throws: `Failure` with `configuration`.
    package init(
        _ rules: AccessRules, log: Log, now: @escaping @Sendable () -> Double,
        pause: @escaping @Sendable (Double) -> Void = { Thread.sleep(forTimeInterval: $0) }
    ) throws(Failure) {
        try rules.check()
        var tokens: TokenFile?
        if let path = rules.tokenFile { tokens = try TokenFile(path, log: log) }
        (self.rules, self.tokens, self.now, self.pause) = (rules, tokens, now, pause)
    }

    /// Whether a token is asked for.
    package var needsToken: Bool { tokens != nil }

    // MARK: - Names

    /// Refuses a request under a name that is not this server's: a page of another site can lead a browser here by its own.
    func checkHost(_ request: HTTPRequest) throws(Refusal) {
        guard let host = request.fields["Host"] else { return }
        guard rules.permits(HostName(host)) else {
            throw Refusal(
                421,
                .request(
                    "hostUnknown", "this server does not answer under that name",
                    hint: "use its own address, or let the server's owner allow the name"))
        }
    }

    /// Refuses what a page of another site can make a browser send.
    func checkSite(_ request: HTTPRequest, _ route: Route) throws(Refusal) {
        guard !["GET", "HEAD", "OPTIONS"].contains(request.method) else { return }
        let site = request.fields["Sec-Fetch-Site"] ?? "same-origin"
        let origin = request.fields["Origin"]
        guard ["same-origin", "none"].contains(site), origin.map({ isOwn($0, request) }) ?? true
        else {
            throw Refusal(
                403,
                .request(
                    "foreignOrigin", "a page of another site cannot do this", .notPermitted))
        }
        guard route.body == .json, Self.hasBody(request) else { return }
        let type = request.fields["Content-Type"]?.prefix { $0 != ";" } ?? ""
        guard type.trimmingCharacters(in: .whitespaces).lowercased() == "application/json" else {
            throw Refusal(
                415,
                .request(
                    "contentType", "the body needs the content type application/json",
                    hint: "send Content-Type: application/json"))
        }
    }

    private static func hasBody(_ request: HTTPRequest) -> Bool {
        if request.fields["Transfer-Encoding"] != nil { return true }
        return (request.fields["Content-Length"] ?? "0") != "0"
    }

    private func isOwn(_ origin: String, _ request: HTTPRequest) -> Bool {
        WebOrigin(origin)?.isOwn(host: request.fields["Host"], publicURL: rules.publicURL) ?? false
    }

    // MARK: - Tokens

    /// - Throws: `Refusal` with 401 without a token that counts, 403 with one that permits too little.
    func admit(_ request: HTTPRequest, to route: Route) throws(Refusal) -> Caller {
        guard let tokens else { return Caller(scope: .admin, digest: "") }
        let list = tokens.list
        let shown = Self.bearer(request)
        if let caller = caller(of: request, in: list) {
            guard caller.scope >= route.scope else {
                throw Refusal(
                    403,
                    .request(
                        "scope", "this token does not permit that",
                        hint: "use a token of the scope \(route.scope.rawValue)", .notPermitted),
                    [Self.challenge("insufficient_scope")])
            }
            return caller
        }
        // A route without a scope can tell, too, whether a token counts.
        if shown != nil, !route.passesTokens { pause(Self.wrongTokenSeconds) }
        guard route.scope == .anyone else {
            throw Refusal(
                401,
                .request(
                    shown == nil ? "tokenMissing" : "tokenWrong",
                    shown == nil ? "a token is needed" : "this token does not count here",
                    hint: "send Authorization: Bearer with a token of this server", .notPermitted),
                [Self.challenge(shown == nil ? nil : "invalid_token")])
        }
        return Caller(scope: .anyone, digest: "")
    }

    /// Whether the token of a request that was let in still counts.
    func stillAdmits(_ request: HTTPRequest, to route: Route) -> Bool {
        guard let tokens, route.scope != .anyone else { return true }
        return caller(of: request, in: tokens.list).map { $0.scope >= route.scope } ?? false
    }

    /// The digest of the token behind a request, for the log; empty without one that counts.
    func knownCaller(of request: HTTPRequest) -> String {
        tokens.flatMap { caller(of: request, in: $0.list) }?.digest ?? ""
    }

    private func caller(of request: HTTPRequest, in list: TokenList) -> Caller? {
        if let token = Self.bearer(request) {
            return list.entry(of: token).map { Caller(scope: $0.scope, digest: $0.digest) }
        }
        guard let value = Self.cookie(request),
            let digest = sessions.tokenDigest(of: value, now: now()),
            // A token that has left the file ends its sessions.
            let entry = list.entries.first(where: { $0.digest == digest })
        else { return nil }
        return Caller(scope: entry.scope, digest: entry.digest)
    }

    private static func challenge(_ error: String?) -> (String, String) {
        let suffix = error.map { ", error=\"\($0)\"" } ?? ""
        return ("WWW-Authenticate", "Bearer realm=\"takeup\"\(suffix)")
    }

    static func bearer(_ request: HTTPRequest) -> String? {
        guard let value = request.fields["Authorization"] else { return nil }
        let words = value.split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[0].lowercased() == "bearer" else { return nil }
        return words[1].trimmingCharacters(in: .whitespaces)
    }

    static func cookie(_ request: HTTPRequest) -> String? {
        for field in request.fields.values("Cookie") {
            for pair in field.split(separator: ";") {
                let sides = pair.split(separator: "=", maxSplits: 1)
                guard sides.count == 2,
                    sides[0].trimmingCharacters(in: .whitespaces) == cookieName
                else { continue }
                return sides[1].trimmingCharacters(in: .whitespaces)
            }
        }
        return nil
    }

    // MARK: - Sessions

    /// - Returns: The cookie of a new session; nil for a token that does not count.
    func beginSession(_ token: String) -> String? {
        guard let entry = tokens?.list.entry(of: token) else {
            if tokens != nil { pause(Self.wrongTokenSeconds) }
            return nil
        }
        let value = sessions.begin(for: entry.digest, now: now())
        return setCookie(value, seconds: Int(SessionStore.seconds))
    }

    /// - Returns: The cookie that takes the browser's away.
    func endSession(_ request: HTTPRequest) -> String {
        if let value = Self.cookie(request) { sessions.end(value) }
        return setCookie("", seconds: 0)
    }

    private func setCookie(_ value: String, seconds: Int) -> String {
        let isSecure = rules.publicURL?.lowercased().hasPrefix("https://") == true
        return "\(Self.cookieName)=\(value); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Strict"
            + (isSecure ? "; Secure" : "")
    }
}
