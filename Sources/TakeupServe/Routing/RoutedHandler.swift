package import TakeupHTTP
internal import TakeupModel
package import TakeupTelemetry

/// Lets a request in, finds its route, and keeps the books.
package struct RoutedHandler: HTTPHandler {
    private let router: Router
    private let access: AccessGuard
    private let log: Log
    private let figures: RequestFigures

    package init(_ routes: [Route], access: AccessGuard, log: Log, figures: RequestFigures) {
        router = Router(routes + SessionRoutes(access).routes)
        (self.access, self.log, self.figures) = (access, log, figures)
    }

    package func plan(for request: HTTPRequest) -> RequestPlan {
        figures.begin()
        do throws(Refusal) {
            return try routed(request)
        } catch {
            return .answer(error.response(to: request))
        }
    }

    private func routed(_ request: HTTPRequest) throws(Refusal) -> RequestPlan {
        guard Router.knownMethods.contains(request.method) else {
            throw Refusal(
                501, .request("methodUnknown", "\(request.method) is no method of this server"))
        }
        try access.checkHost(request)
        switch router.match(method: request.method, path: request.path) {
        case .route(let route, let parameters):
            guard let query = PercentText.query(request.query ?? "") else {
                throw Refusal(400, .request("malformedQuery", "the query cannot be decoded"))
            }
            try access.checkSite(request, route)
            let caller = try access.admit(request, to: route)
            return route.handle(
                RoutedRequest(
                    http: request, parameters: parameters, query: query, scope: caller.scope,
                    caller: caller.digest,
                    isAdmitted: { [access] in access.stillAdmits(request, to: route) }))
        case .methods(let methods):
            let allowed = ("Allow", methods.joined(separator: ", "))
            if request.method == "OPTIONS" {
                var response = HTTPResponse(204, [allowed])
                UploadProtocol.mark(&response, request)
                return .answer(response)
            }
            throw Refusal(
                405,
                .request(
                    "methodNotAllowed", "\(request.method) is not possible here",
                    hint: "use \(methods.joined(separator: ", "))"), [allowed])
        case .nothing:
            throw Refusal(
                404,
                .request(
                    "pathUnknown", "there is nothing at this path",
                    hint: "GET /openapi.json describes all paths", .inputMissing))
        case .malformed:
            throw Refusal(400, .request("malformedPath", "the path cannot be decoded"))
        }
    }

    package func note(_ exchange: ExchangeRecord) {
        let match = router.match(method: exchange.request.method, path: exchange.request.path)
        var pattern: String?
        if case .route(let route, _) = match { pattern = route.pattern }
        figures.end(exchange, route: pattern)
        log.record(
            .info, "request",
            AccessLine.fields(exchange, pattern, caller: access.knownCaller(of: exchange.request)))
    }
}

/// Why a request does not reach its route.
struct Refusal: Error {
    let status: Int
    let failure: Failure
    let fields: [(String, String)]

    init(_ status: Int, _ failure: Failure, _ fields: [(String, String)] = []) {
        (self.status, self.failure, self.fields) = (status, failure, fields)
    }
}
