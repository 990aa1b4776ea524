import TakeupHTTP
import Testing

@testable import TakeupServe

@Suite("Dashboard routes")
struct DashboardRoutesTests {
    private func answer(
        _ path: String, _ fields: [(String, String)] = []
    ) throws -> HTTPResponse {
        let route = try #require(DashboardRoutes.all.first { $0.pattern == path })
        let request = HTTPRequest(method: "GET", target: path, fields: HTTPFields(fields))
        guard case .answer(let response) = route.handle(RoutedRequest(http: request)) else {
            throw Unanswered(path: path)
        }
        return response
    }

    private struct Unanswered: Error { let path: String }

    private func text(_ path: String) throws -> String {
        guard case .bytes(let bytes) = try answer(path).body else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("let a page load only from its own server")
    func policy() throws {
        for route in DashboardRoutes.all {
            let fields = try answer(route.pattern).fields
            let policy = try #require(fields["Content-Security-Policy"])
            #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self';"))
            #expect(!policy.contains("unsafe") && policy.contains("frame-ancestors 'none'"))
            #expect(fields["X-Content-Type-Options"] == "nosniff")
            #expect(fields["Referrer-Policy"] == "no-referrer")
            #expect(route.scope == .anyone)
        }
    }

    @Test("answer 304 to the tag that they gave")
    func validation() throws {
        let first = try answer("/dashboard/app.js")
        let tag = try #require(first.fields["ETag"])
        #expect(
            try answer("/dashboard/app.js", [("If-None-Match", "\"a\", W/\(tag)")]).status == 304)
        #expect(try answer("/dashboard/app.js", [("If-None-Match", "\"a\"")]).status == 200)
        #expect(try answer("/dashboard/dom.js").fields["ETag"] != tag)
    }

    @Test("hold all that the page and its scripts name")
    func completeness() throws {
        let paths = Set(DashboardRoutes.all.map(\.pattern))
        #expect(paths.count == DashboardRoutes.all.count)
        let page = try text("/")
        var named: Set<String> = ["/"]
        for match in page.matches(of: #/(?:src|href)="(dashboard/[^"]+)"/#) {
            named.insert("/\(match.1)")
        }
        for path in paths where path.hasSuffix(".js") {
            for match in try text(path).matches(of: #/from "\./([a-z]+\.js)"/#) {
                named.insert("/dashboard/\(match.1)")
            }
        }
        #expect(named == paths)
    }

    @Test("have no code, style or asset in the page that its policy forbids")
    func inlineCode() throws {
        let page = try text("/")
        #expect(
            page.firstMatch(of: #/<script(?![^>]*src=)|<style| style="| on[a-z]+="|https?:/#) == nil
        )
        for route in DashboardRoutes.all where route.pattern.hasSuffix(".js") {
            let code = try text(route.pattern)
            #expect(
                code.firstMatch(of: #/innerHTML|insertAdjacentHTML|document\.write|eval\(/#) == nil)
        }
    }
}
