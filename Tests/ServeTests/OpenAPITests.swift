import Foundation
import TakeupHTTP
import TakeupTelemetry
import TestSupport
import Testing

@testable import TakeupServe

@Suite("The description of the API")
struct OpenAPITests {
    private func document() throws -> [String: Any] {
        let data = Data("\(APIDocument.json)".utf8)
        return try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    @Test("every route is described, and every description is a route's")
    func routes() throws {
        let trial = try JobTrial()
        let access = try AccessGuard(
            AccessRules(listeners: [.tcp(host: "127.0.0.1", port: 0)]), log: .silent, now: { 0 })
        let routes = try trial.routes() + SessionRoutes(access).routes
        let real = routes.filter { !$0.pattern.hasPrefix("/dashboard/") }
        func name(_ method: String, _ pattern: String, _ scope: AccessScope) -> String {
            "\(method) \(pattern) \(scope.rawValue)"
        }
        let routed = Set(real.map { name($0.method, $0.pattern, $0.scope) })
        let described = Set(APIDocument.operations.map { name($0.method, $0.pattern, $0.scope) })
        #expect(routed.subtracting(described) == [] && described.subtracting(routed) == [])
        for operation in APIDocument.operations {
            let route = real.first {
                $0.method == operation.method && $0.pattern == operation.pattern
            }
            // Bodies that are no JSON are described so.
            let isJSON = operation.bodies.allSatisfy { $0.type == "application/json" }
            if case .bytes = route?.body { #expect(!isJSON) }
        }
    }

    @Test("references lead somewhere, and names are unique")
    func references() throws {
        let document = try document()
        #expect(document["openapi"] as? String == "3.1.0")
        var names: [String] = []
        func walk(_ value: Any) {
            if let list = value as? [Any] { list.forEach(walk) }
            guard let object = value as? [String: Any] else { return }
            if let name = object["operationId"] as? String { names.append(name) }
            if let reference = object["$ref"] as? String {
                let parts = reference.dropFirst(2).split(separator: "/").map(String.init)
                var place: Any? = document
                for part in parts { place = (place as? [String: Any])?[part] }
                #expect(place != nil, "\(reference)")
            }
            object.values.forEach(walk)
        }
        walk(document)
        #expect(Set(names).count == names.count && names.count > 40)
    }

    @Test("every member that a job may have is described, and only those")
    func jobMembers() throws {
        let trial = try JobTrial()
        for (name, _) in JobSchemas.requestMembers {
            let refused = try trial.ask("POST", "/v1/jobs", #"{"\#(name)": [[]]}"#)
            #expect(refused.status == 400)
            #expect(refused.text.contains("there is no field") == false, "\(name)")
        }
        let hint = try trial.ask("POST", "/v1/jobs", #"{"zzzzzzzzzzzz": 1}"#).word("hint")
        let fields = try #require(hint?.split(separator: " are ").last)
        #expect(
            Set(fields.components(separatedBy: ", ")) == Set(JobSchemas.requestMembers.map(\.0)))
    }

    @Test("responses are what their schemas say")
    func responses() throws {
        let trial = try JobTrial()
        let source = try trial.clip()
        let job = #"{"id": "a", "source": "\#(source)", "preset": "low"}"#
        _ = try trial.ask("POST", "/v1/jobs", job)
        _ = try trial.ask("POST", "/v1/uploads", bytes: [1], [("Content-Type", "video/mp4")])
        trial.tools.desk.history.sample()
        let schemas = try SchemaCheck(try document())
        let cases: [(String, String, String, String?)] = [
            ("GET", "/v1/jobs", "/v1/jobs", nil), ("GET", "/v1/jobs/{id}", "/v1/jobs/a", nil),
            ("GET", "/v1/jobs/counts", "/v1/jobs/counts", nil),
            ("POST", "/v1/jobs/lookup", "/v1/jobs/lookup", "{}"),
            ("POST", "/v1/jobs", "/v1/jobs", job), ("POST", "/v1/jobs", "/v1/jobs", "[\(job), {}]"),
            ("POST", "/v1/plan", "/v1/plan", job),
            ("POST", "/v1/presets/for", "/v1/presets/for", job),
            ("GET", "/v1/presets", "/v1/presets", nil),
            ("GET", "/v1/presets/{name}", "/v1/presets/low", nil),
            ("GET", "/v1/uploads", "/v1/uploads", nil), ("GET", "/v1/cache", "/v1/cache", nil),
            ("GET", "/v1/cache/stats", "/v1/cache/stats", nil),
            ("GET", "/v1/status", "/v1/status", nil), ("GET", "/v1/workers", "/v1/workers", nil),
            ("GET", "/v1/folders", "/v1/folders", nil), ("GET", "/readyz", "/readyz", nil),
            ("POST", "/v1/jobs/prune", "/v1/jobs/prune", "{}"),
            ("POST", "/v1/cache/clean", "/v1/cache/clean", "{}"),
            ("GET", "/session", "/session", nil), ("GET", "/v1/jobs/{id}", "/v1/jobs/none", nil),
        ]
        for (method, path, target, body) in cases {
            let reply = try trial.ask(method, target, body)
            let faults = schemas.faults(of: reply, method, path)
            #expect(faults.isEmpty, "\(method) \(target): \(faults) \(reply.text.prefix(300))")
        }
    }
}
