import TakeupHTTP
import Testing

@testable import TakeupServe

@Suite("Router")
struct RoutingRouterTests {
    private static func route(_ method: String, _ pattern: String) -> Route {
        Route(method, pattern, .read) { _ in .answer(HTTPResponse(200)) }
    }

    private static let router = Router(
        [
            route("GET", "/"), route("GET", "/v1/jobs"), route("POST", "/v1/jobs"),
            route("GET", "/v1/jobs/{id}"), route("DELETE", "/v1/jobs/{id}"),
            route("GET", "/v1/jobs/counts"), route("GET", "/v1/jobs/{id}/events"),
            route("GET", "/p/{rest...}"), route("HEAD", "/only-head"),
        ])

    private static func text(_ match: Router.Match) -> String {
        switch match {
        case .route(let route, let parameters):
            let values = parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            return "\(route.method) \(route.pattern) \(values.joined(separator: ","))"
        case .methods(let methods): return methods.joined(separator: ", ")
        case .nothing: return "nothing"
        case .malformed: return "malformed"
        }
    }

    @Test(
        "finds the most exact route, and decodes once",
        arguments: [
            ("GET", "/", "GET / "), ("HEAD", "/", "GET / "), ("GET", "/v1/jobs", "GET /v1/jobs "),
            ("GET", "/v1/jobs/counts", "GET /v1/jobs/counts "),
            ("GET", "/v1/jobs/c%6Funts", "GET /v1/jobs/counts "),
            ("GET", "/v1/jobs/a%2Fb%2541", "GET /v1/jobs/{id} id=a/b%41"),
            ("GET", "/v1/jobs/%E7%9B%B4", "GET /v1/jobs/{id} id=直"),
            ("GET", "/v1/jobs/a+b", "GET /v1/jobs/{id} id=a+b"),
            ("GET", "/v1/jobs/x/events", "GET /v1/jobs/{id}/events id=x"),
            ("GET", "/p/a/b//c%3F", "GET /p/{rest...} rest=a/b//c?"),
            ("HEAD", "/only-head", "HEAD /only-head "),
            ("PUT", "/v1/jobs", "GET, HEAD, POST, OPTIONS"),
            ("OPTIONS", "/v1/jobs/x", "GET, HEAD, DELETE, OPTIONS"),
            ("DELETE", "/v1/jobs/counts", "DELETE /v1/jobs/{id} id=counts"),
            ("GET", "/only-head", "HEAD, OPTIONS"),
            ("GET", "/v1/jobs/", "nothing"), ("GET", "/v1", "nothing"), ("GET", "//", "nothing"),
            ("GET", "/v1/jobs/../jobs", "nothing"), ("GET", "/p", "nothing"),
            ("GET", "/v1/jobs/%", "malformed"), ("GET", "/v1/jobs/%zz", "malformed"),
            ("GET", "/v1/jobs/%00", "malformed"), ("GET", "/v1/jobs/%FF", "malformed"),
        ])
    func find(method: String, path: String, expected: String) {
        #expect(Self.text(Self.router.match(method: method, path: path)) == expected)
    }

    @Test("does not take two routes that are the same")
    func twice() async {
        await #expect(processExitsWith: .failure) {
            let route = Route("GET", "/a/{b}", .read) { _ in .answer(HTTPResponse(200)) }
            let other = Route("GET", "/a/{c}", .read) { _ in .answer(HTTPResponse(200)) }
            _ = Router([route, other])
        }
    }

    @Test("reads queries with signs for spaces, in order")
    func query() throws {
        let pairs = try #require(PercentText.query("a=1&b=x+y%2B&&c&a=%3D=2"))
        #expect(pairs.map(\.name) == ["a", "b", "c", "a"])
        #expect(pairs.map(\.value) == ["1", "x y+", "", "==2"])
        #expect(PercentText.query("a=%F") == nil)
        #expect(PercentText.query("")?.isEmpty == true)
    }
}
