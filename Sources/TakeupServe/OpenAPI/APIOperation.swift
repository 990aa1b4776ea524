internal import TakeupModel

/// What the description says of one route.
struct APIOperation: Sendable {
    /// What a request may or must bring besides its path.
    struct Parameter: Sendable {
        /// `query` or `header`.
        let place: String
        let name: String
        let about: String
        let schema: JSONValue

        static func query(
            _ name: String, _ about: String, _ schema: JSONValue = APISchema.text
        ) -> Parameter {
            Parameter(place: "query", name: name, about: about, schema: schema)
        }

        static func header(
            _ name: String, _ about: String, _ schema: JSONValue = APISchema.text
        ) -> Parameter {
            Parameter(place: "header", name: name, about: about, schema: schema)
        }
    }

    /// A body of a request or a response.
    struct Content: Sendable {
        let type: String
        let schema: JSONValue

        static func json(_ schema: JSONValue) -> Content {
            Content(type: "application/json", schema: schema)
        }

        static func text(_ type: String) -> Content {
            Content(type: type, schema: APISchema.text)
        }

        static func bytes(_ type: String = "application/octet-stream") -> Content {
            Content(type: type, schema: [:])
        }
    }

    struct Answer: Sendable {
        let status: Int
        let about: String
        let contents: [Content]

        static func json(_ status: Int, _ about: String, _ schema: JSONValue) -> Answer {
            Answer(status: status, about: about, contents: [.json(schema)])
        }

        static func plain(_ status: Int, _ about: String, _ contents: Content...) -> Answer {
            Answer(status: status, about: about, contents: contents)
        }
    }

    let method: String
    /// As the route's pattern.
    let pattern: String
    let area: String
    let scope: AccessScope
    let summary: String
    var parameters: [Parameter] = []
    var bodies: [Content] = []
    /// Whether a request without a body makes sense.
    var needsBody = true
    let answers: [Answer]
    /// Statuses of problems besides those that any request may get.
    var problems: [Int] = []

    init(
        _ method: String, _ pattern: String, _ area: String, _ scope: AccessScope,
        _ summary: String, parameters: [Parameter] = [], bodies: [Content] = [],
        needsBody: Bool = true, answers: [Answer], problems: [Int] = []
    ) {
        (self.method, self.pattern, self.area, self.scope) = (method, pattern, area, scope)
        (self.summary, self.parameters, self.bodies) = (summary, parameters, bodies)
        (self.needsBody, self.answers, self.problems) = (needsBody, answers, problems)
    }

    /// Problems that any request may get.
    static let commonProblems = [400, 401, 403, 405, 408, 414, 421, 431, 500, 501, 503]
    /// Problems of requests that bring a body.
    private static let bodyProblems = [411, 413, 415, 417]

    /// The path of the description: a name for each part that varies.
    var path: String { pattern.split(separator: "...").joined() }

    /// Names in braces.
    private var variables: [String] {
        path.split(separator: "/").filter { $0.hasPrefix("{") }
            .map { String($0.dropFirst().dropLast()) }
    }

    var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init(key: "operationId", value: .text(name)),
            .init(key: "tags", value: .list([.text(area)])),
            .init(key: "summary", value: .text(summary)),
            .init(
                key: "description", value: .text("Needs the scope `\(scope.rawValue)`.")),
        ]
        let all = variables.map(Self.variable) + parameters.map(\.json)
        if !all.isEmpty { members.append(.init(key: "parameters", value: .list(all))) }
        if !bodies.isEmpty {
            members.append(
                .init(
                    key: "requestBody",
                    value: ["required": .flag(needsBody), "content": Self.content(bodies)]))
        }
        members.append(.init(key: "responses", value: .object(responses)))
        if scope == .anyone { members.append(.init(key: "security", value: .list([]))) }
        return .object(members)
    }

    /// The same without bodies, for the method that a route of GET answers, too.
    var head: JSONValue {
        var twin = APIOperation(
            "HEAD", pattern, area, scope, summary, parameters: parameters,
            answers: answers.map { Answer(status: $0.status, about: $0.about, contents: []) },
            problems: problems)
        twin.hasBodies = false
        return twin.json
    }

    /// Whether problems are told in bodies.
    private var hasBodies = true

    /// Such as `getV1JobsById`.
    private var name: String {
        let words = pattern.split { "/-.{}".contains($0) }
        return method.lowercased()
            + words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
            + (pattern == "/" ? "Root" : "")
    }

    private var responses: [JSONValue.Member] {
        var responses: [(status: Int, value: JSONValue)] = answers.map { answer in
            let value: JSONValue = ["description": .text(answer.about)]
            guard !answer.contents.isEmpty else { return (answer.status, value) }
            return (
                answer.status,
                [
                    "description": .text(answer.about),
                    "content": Self.content(answer.contents),
                ]
            )
        }
        let known = Set(responses.map(\.status))
        let problems =
            Set(Self.commonProblems + self.problems + (bodies.isEmpty ? [] : Self.bodyProblems))
        for status in problems where !known.contains(status) {
            let value: JSONValue =
                hasBodies
                ? ["$ref": .text("#/components/responses/Problem\(status)")]
                : ["description": .text(ReasonText.of(status))]
            responses.append((status, value))
        }
        return responses.sorted { $0.status < $1.status }
            .map { .init(key: "\($0.status)", value: $0.value) }
    }

    private static func content(_ contents: [Content]) -> JSONValue {
        .object(contents.map { .init(key: $0.type, value: ["schema": $0.schema]) })
    }

    private static func variable(_ name: String) -> JSONValue {
        [
            "name": .text(name), "in": "path", "required": true,
            "schema": ["type": "string", "minLength": .integer(1)],
        ]
    }
}

extension APIOperation.Parameter {
    fileprivate var json: JSONValue {
        [
            "name": .text(name), "in": .text(place), "required": false,
            "description": .text(about), "schema": schema,
        ]
    }
}
