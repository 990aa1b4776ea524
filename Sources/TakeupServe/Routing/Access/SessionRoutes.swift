internal import Foundation
internal import TakeupHTTP
internal import TakeupModel

/// Signs a browser in and out.
struct SessionRoutes {
    private static let mostBytes = 4096

    private let access: AccessGuard

    init(_ access: AccessGuard) { self.access = access }

    private struct Credentials: Decodable {
        let token: String
    }

    var routes: [Route] {
        [
            Route("GET", "/session", .anyone) { [access] request in
                let state: JSONValue = [
                    "needsToken": .flag(access.needsToken), "scope": .text(request.scope.rawValue),
                ]
                return .answer(Self.answer(state))
            },
            Route("POST", "/session", .anyone) { [access] request in
                .collect(upTo: Self.mostBytes) { body in Self.begin(body, request, access) }
            },
            Route("DELETE", "/session", .anyone) { [access] request in
                let cookie = access.endSession(request.http)
                return .answer(
                    HTTPResponse(204, [("Set-Cookie", cookie), ("Cache-Control", "no-store")]))
            },
        ]
    }

    private static func begin(
        _ body: [UInt8], _ request: RoutedRequest, _ access: AccessGuard
    ) -> HTTPResponse {
        guard let given = try? JSONDecoder().decode(Credentials.self, from: Data(body)) else {
            return Problem.response(
                .request(
                    "malformedBody", "the body is no object with a token",
                    hint: #"send {"token": "…"}"#), instance: request.http.id)
        }
        guard let cookie = access.beginSession(given.token) else {
            return Problem.response(
                .request("tokenWrong", "this token does not count here", .notPermitted),
                status: 401, instance: request.http.id)
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
