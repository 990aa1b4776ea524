import Foundation
import TakeupHTTP
import TakeupLanes
import TakeupModel
import TakeupTelemetry
import TestSupport
import Testing

@testable import TakeupServe

@Suite("Access to a server")
struct RoutingAccessTests {
    static let reader = "reader-token-0123456789"
    static let submitter = "submit-token-0123456789"
    static let owner = "admin-token-00123456789"
    static let tokens = """
        # who may what
        read \(reader) a player
        submit \(submitter)

        \(owner)
        """

    /// Answers with the scope and caller that a route sees.
    static let routes: [Route] =
        [
            ("GET", "/open", AccessScope.anyone), ("GET", "/p/{address...}", .anyone),
            ("GET", "/read", .read),
            ("POST", "/submit", .submit),
            ("DELETE", "/admin", .admin),
        ].map { method, pattern, scope in
            Route(method, pattern, scope) { request in
                .answer(
                    HTTPResponse(200, body: .text("\(request.scope.rawValue) \(request.caller)")))
            }
        } + [
            Route("POST", "/bytes", .submit, body: .bytes) { _ in .answer(HTTPResponse(200)) }
        ]

    struct Server {
        let handler: RoutedHandler
        let clock: Locked<Double>
        let pauses: Locked<Int>

        init(_ rules: AccessRules) throws {
            let (clock, pauses) = (Locked(1000.0), Locked(0))
            (self.clock, self.pauses) = (clock, pauses)
            let access = try AccessGuard(
                rules, log: .silent, now: { clock.withLock { $0 } },
                pause: { _ in pauses.withLock { $0 += 1 } })
            handler = RoutedHandler(
                routes, access: access, log: .silent, figures: RequestFigures())
        }

        func ask(
            _ method: String, _ target: String, _ fields: [(String, String)] = [], body: String = ""
        ) -> HTTPResponse {
            let all =
                fields.contains { $0.0 == "Host" } ? fields : fields + [("Host", "localhost:80")]
            let request = HTTPRequest(
                id: "0123456789abcdef", method: method, target: target, fields: HTTPFields(all))
            switch handler.plan(for: request) {
            case .answer(let response): return response
            case .collect(_, let then): return then(Array(body.utf8))
            case .receive(let receiver): return receiver.finish()
            }
        }
    }

    private static let loopback = HTTPServer.Address.tcp(host: "127.0.0.1", port: 80)

    private static func text(_ response: HTTPResponse) -> String {
        if case .bytes(let bytes) = response.body {
            String(decoding: bytes, as: UTF8.self)
        } else {
            ""
        }
    }

    private static func bearer(_ token: String) -> [(String, String)] {
        [("Authorization", "Bearer \(token)")]
    }

    @Test("needs no token on loopback or a Unix socket")
    func local() throws {
        for listener in [Self.loopback, .unix(path: "/run/x"), .tcp(host: "::1", port: 1)] {
            let server = try Server(AccessRules(listeners: [listener]))
            #expect(Self.text(server.ask("DELETE", "/admin")) == "admin ")
            #expect(Self.text(server.ask("GET", "/session")).contains(#""needsToken":false"#))
        }
    }

    @Test(
        "from other machines is not begun without tokens",
        arguments: [
            HTTPServer.Address.tcp(host: "0.0.0.0", port: 80), .tcp(host: "::", port: 80),
            .tcp(host: "192.0.2.1", port: 80), .descriptor(999),
        ])
    func open(listener: HTTPServer.Address) throws {
        let failure = #expect(throws: Failure.self) {
            try Server(AccessRules(listeners: [Self.loopback, listener]))
        }
        #expect(failure?.exitCode == .configuration && failure?.code == "tokensMissing")
    }

    @Test("is as the token's scope says")
    func scopes() throws {
        let directory = try TemporaryDirectory()
        let path = try Self.write(Self.tokens, in: directory)
        let server = try Server(AccessRules(listeners: [Self.loopback], tokenFile: path))
        let json = [("Content-Type", "application/json")]
        let rows: [(token: String, statuses: [Int])] = [
            (Self.reader, [200, 200, 403, 403]), (Self.submitter, [200, 200, 200, 403]),
            (Self.owner, [200, 200, 200, 200]), ("wrong-token-0123456789", [200, 401, 401, 401]),
            (Self.reader + " ", [200, 200, 403, 403]), ("", [200, 401, 401, 401]),
        ]
        for row in rows {
            let fields = Self.bearer(row.token) + json
            let statuses = [
                server.ask("GET", "/open", fields).status,
                server.ask("GET", "/read", fields).status,
                server.ask("POST", "/submit", fields).status,
                server.ask("DELETE", "/admin", fields).status,
            ]
            #expect(statuses == row.statuses, "\(row.token)")
        }
        let missing = server.ask("GET", "/read")
        #expect(missing.status == 401)
        #expect(missing.fields["WWW-Authenticate"] == "Bearer realm=\"takeup\"")
        #expect(Self.text(missing).contains(#""code":"tokenMissing""#))
        let wrong = server.ask("GET", "/read", Self.bearer("wrong-token-0123456789"))
        #expect(wrong.fields["WWW-Authenticate"]?.contains("invalid_token") == true)
        let basic = server.ask("GET", "/read", [("Authorization", "Basic \(Self.owner)")])
        #expect(basic.status == 401)
    }

    @Test("costs time with a wrong token only, and tells callers apart")
    func pausesAndCallers() throws {
        let directory = try TemporaryDirectory()
        let path = try Self.write(Self.tokens, in: directory)
        let server = try Server(AccessRules(listeners: [Self.loopback], tokenFile: path))
        let reader = Self.text(server.ask("GET", "/read", Self.bearer(Self.reader)))
        let owner = Self.text(server.ask("GET", "/read", Self.bearer(Self.owner)))
        #expect(reader.count == 5 + 64 && owner.count == 6 + 64)
        #expect(reader.suffix(64) != owner.suffix(64))
        _ = server.ask("GET", "/read")
        #expect(server.pauses.withLock { $0 } == 0)
        _ = server.ask("GET", "/read", Self.bearer("wrong-token-0123456789"))
        #expect(server.pauses.withLock { $0 } == 1)
        // A proxied request may have a token for its origin.
        #expect(server.ask("GET", "/p/a/b", Self.bearer("wrong-token-0123456789")).status == 200)
        #expect(server.pauses.withLock { $0 } == 1)
        // What is open to everybody could tell whether a token counts, as `/session` does.
        for path in ["/open", "/session"] {
            #expect(server.ask("GET", path, Self.bearer("wrong-token-0123456789")).status == 200)
        }
        #expect(server.pauses.withLock { $0 } == 3)
    }

    @Test("changes with the file, and stays as it was while the file cannot be read")
    func reload() throws {
        let directory = try TemporaryDirectory()
        let path = try Self.write("read \(Self.reader)", in: directory)
        let server = try Server(AccessRules(listeners: [Self.loopback], tokenFile: path))
        #expect(server.ask("GET", "/read", Self.bearer(Self.reader)).status == 200)
        try Self.write("read \(Self.submitter) and some more", in: directory)
        #expect(server.ask("GET", "/read", Self.bearer(Self.reader)).status == 401)
        #expect(server.ask("GET", "/read", Self.bearer(Self.submitter)).status == 200)
        unlink(path)
        #expect(server.ask("GET", "/read", Self.bearer(Self.submitter)).status == 200)
        // What a file that can be read does not hold was taken away, also where another line is wrong.
        try Self.write("read \(Self.reader)\nnonsense", in: directory)
        #expect(server.ask("GET", "/read", Self.bearer(Self.submitter)).status == 401)
        #expect(server.ask("GET", "/read", Self.bearer(Self.reader)).status == 200)
        try Self.write("", in: directory)
        #expect(server.ask("GET", "/read", Self.bearer(Self.reader)).status == 401)
    }

    @Test("of an answer without an end is looked at again and again")
    func streams() throws {
        let clock = Locked(0.0)
        let isAdmitted = Locked(true)
        let body = EventBody(
            EventBody.Feed(next: { "data: 1\n\n" }, close: {}), now: { clock.withLock { $0 } },
            isAdmitted: { isAdmitted.withLock { $0 } })
        func read() throws -> Int {
            try withUnsafeTemporaryAllocation(byteCount: 100, alignment: 1) {
                try body.read(into: $0, at: 0, isAbandoned: { false })
            }
        }
        #expect(try (read(), read()) > (0, 0))
        isAdmitted.withLock { $0 = false }
        clock.withLock { $0 += 1 }
        #expect(try read() == 0)
        let directory = try TemporaryDirectory()
        let path = try Self.write("read \(Self.reader)", in: directory)
        let access = try AccessGuard(
            AccessRules(listeners: [Self.loopback], tokenFile: path), log: .silent, now: { 0 })
        let request = HTTPRequest(
            method: "GET", target: "/read", fields: HTTPFields(Self.bearer(Self.reader)))
        let route = try #require(Self.routes.first { $0.pattern == "/read" })
        #expect(access.stillAdmits(request, to: route))
        try Self.write("read \(Self.submitter)", in: directory)
        #expect(!access.stillAdmits(request, to: route))
    }

    @Test("is refused to a file of tokens that is no secret, or no file of tokens")
    func files() throws {
        let directory = try TemporaryDirectory()
        let path = try Self.write(Self.tokens, in: directory)
        chmod(path, 0o644)
        #expect(throws: Failure.self) {
            try Server(AccessRules(listeners: [Self.loopback], tokenFile: path))
        }
        for text in [
            "", "# nothing", "short", "write \(Self.owner)", "anyone \(Self.owner)",
            "read short", "\u{0}",
        ] {
            try Self.write(text, in: directory)
            let failure = #expect(throws: Failure.self, "\(text)") {
                try Server(AccessRules(listeners: [Self.loopback], tokenFile: path))
            }
            #expect(failure?.exitCode == .configuration)
            #expect(failure?.message.contains(Self.owner) == false)
        }
    }

    @Test("of a browser is by a session, which ends with its time, its token, or on demand")
    func sessions() throws {
        let directory = try TemporaryDirectory()
        let path = try Self.write(Self.tokens, in: directory)
        let server = try Server(
            AccessRules(
                listeners: [Self.loopback], publicURL: "https://m.example", tokenFile: path))
        func signIn(_ token: String) -> (status: Int, cookie: String) {
            let response = server.ask(
                "POST", "/session",
                [("Content-Type", "application/json"), ("Content-Length", "9")],
                body: #"{"token":"\#(token)"}"#)
            return (response.status, response.fields["Set-Cookie"] ?? "")
        }
        #expect(signIn("wrong-token-0123456789").status == 401)
        let bodies = [
            #"{"token":"\#(Self.submitter)","tokn":1}"#, #"{"Token":"\#(Self.submitter)"}"#,
            #"{"token":"\#(Self.submitter)","token":"a"}"#, #"{"token":1}"#, "{}", "[]", "",
        ]
        for body in bodies {
            let refused = server.ask(
                "POST", "/session",
                [("Content-Type", "application/json"), ("Content-Length", "9")], body: body)
            #expect(refused.status == 400 && refused.fields["Set-Cookie"] == nil, "\(body)")
            #expect(Self.text(refused).contains(#""code":"malformedBody""#))
        }
        let (status, cookie) = signIn(Self.submitter)
        #expect(status == 204)
        let words = cookie.split(separator: "; ").map(String.init)
        #expect(
            Set(words.dropFirst()) == [
                "Path=/", "Max-Age=43200", "HttpOnly", "SameSite=Strict", "Secure",
            ])
        #expect(words.first?.hasPrefix("takeup_session=") == true)
        #expect(words.first?.count == "takeup_session=".count + 64)
        let shown = [("Cookie", "a=b; \(words.first ?? "")")]
        #expect(Self.text(server.ask("GET", "/read", shown)).hasPrefix("submit "))
        #expect(server.ask("DELETE", "/admin", shown).status == 403)
        #expect(Self.text(server.ask("GET", "/session", shown)).contains(#""scope":"submit""#))
        server.clock.withLock { $0 += 12 * 3600 - 1 }
        #expect(server.ask("GET", "/read", shown).status == 200)
        server.clock.withLock { $0 += 1 }
        #expect(server.ask("GET", "/read", shown).status == 401)

        let second = [("Cookie", String(signIn(Self.reader).cookie.prefix { $0 != ";" }))]
        #expect(server.ask("GET", "/read", second).status == 200)
        let out = server.ask("DELETE", "/session", second)
        #expect(out.status == 204 && out.fields["Set-Cookie"]?.contains("Max-Age=0") == true)
        #expect(server.ask("GET", "/read", second).status == 401)

        let third = [("Cookie", String(signIn(Self.reader).cookie.prefix { $0 != ";" }))]
        #expect(server.ask("GET", "/read", third).status == 200)
        try Self.write("read \(Self.owner)", in: directory)
        #expect(server.ask("GET", "/read", third).status == 401)
    }

    @discardableResult
    private static func write(
        _ text: String, in directory: borrowing TemporaryDirectory
    ) throws -> String {
        let path = directory.file("tokens")
        try directory.write(Data(text.utf8), to: "tokens")
        chmod(path, 0o600)
        return path
    }
}
