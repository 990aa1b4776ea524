internal import TakeupHTTP
internal import TakeupIntake
internal import TakeupModel

/// Signs a browser in and out.
struct SessionRoutes {
    private static let mostBytes = 4096

    private let access: AccessGuard

    init(_ access: AccessGuard) { self.access = access }

    var routes: [Route] {
        [
            Route("GET", "/session", .anyone) { [access] request in
                let state: JSONValue = [
                    "needsToken": .flag(access.needsToken), "scope": .text(request.scope.rawValue),
                ]
                return .answer(Self.answer(state))
            },
            Route("POST", "/session", .anyone) { [access] request in
                request.collect(upTo: Self.mostBytes) { body throws(Refusal) in
                    try Self.begin(body, access)
                }
            },
            Route("DELETE", "/session", .anyone) { [access] request in
                let cookie = access.endSession(request.http)
                return .answer(
                    HTTPResponse(204, [("Set-Cookie", cookie), ("Cache-Control", "no-store")]))
            },
        ]
    }

    private static func begin(
        _ body: [UInt8], _ access: AccessGuard
    ) throws(Refusal) -> HTTPResponse {
        let token = try Refusal.reading { () throws(BatchFault) in
            try JSONFields(parsing: body, known: ["token"]).text("token")
        }
        guard let token else {
            throw Refusal(
                400,
                .request(
                    "malformedBody", "the member 'token' is missing",
                    hint: #"send {"token": "…"}"#))
        }
        guard let cookie = access.beginSession(token) else {
            throw Refusal(
                401, .request("tokenWrong", "this token does not count here", .notPermitted))
        }
        var response = HTTPResponse(204, [("Cache-Control", "no-store")])
        response.fields.set("Set-Cookie", cookie)
        return response
    }

    private static func answer(_ value: JSONValue) -> HTTPResponse {
        HTTPResponse(
            200, [("Content-Type", "application/json"), ("Cache-Control", "no-store")],
            body: .text("\(value)\n"))
    }
}
