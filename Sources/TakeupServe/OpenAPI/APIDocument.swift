internal import TakeupModel

/// The description of the API, made from one table.
///
/// - Note: Source: OpenAPI 3.1.0.
enum APIDocument {
    /// Every route of every area.
    static let operations =
        JobOperations.all + ServiceOperations.all + UploadOperations.all + MediaOperations.all

    static let json: JSONValue = [
        "openapi": "3.1.0",
        "info": [
            "title": "Takeup", "version": .text(ProgramVersion.current),
            "summary": "An export pipeline worker for media: jobs, results and a caching proxy.",
            "license": ["name": "Apache License 2.0", "identifier": "Apache-2.0"],
        ],
        "servers": .list([["url": "/"]]), "paths": .object(paths),
        "components": [
            "schemas": .object(
                (JobSchemas.all + TimelineSchemas.all + ServiceSchemas.all + MediaOperations.schemas)
                    .map { .init(key: $0.0, value: $0.1) }),
            "responses": .object(problems),
            "securitySchemes": [
                "token": ["type": "http", "scheme": "bearer"],
                "session": ["type": "apiKey", "in": "cookie", "name": "takeup_session"],
            ],
        ],
        "security": .list([["token": .list([])], ["session": .list([])], .object([])]),
    ]

    private static var paths: [JSONValue.Member] {
        var order: [String] = []
        var members: [String: [JSONValue.Member]] = [:]
        for operation in operations {
            if members[operation.path] == nil { order.append(operation.path) }
            let verb = operation.method.lowercased()
            members[operation.path, default: []].append(.init(key: verb, value: operation.json))
            // A route for GET answers HEAD, too.
            guard operation.method == "GET" else { continue }
            members[operation.path, default: []].append(.init(key: "head", value: operation.head))
        }
        return order.map { .init(key: $0, value: .object(members[$0] ?? [])) }
    }

    private static var problems: [JSONValue.Member] {
        let statuses = Set(
            APIOperation.commonProblems + [404, 409, 411, 412, 413, 415, 417, 416, 422, 460, 507]
                + operations.flatMap(\.problems))
        return statuses.sorted().map { status in
            .init(
                key: "Problem\(status)",
                value: [
                    "description": .text(ReasonText.of(status)),
                    "content": [
                        "application/problem+json": [
                            "schema": APISchema.reference("Problem")
                        ]
                    ],
                ])
        }
    }
}

/// What a status means here.
enum ReasonText {
    static func of(_ status: Int) -> String {
        switch status {
        case 400: "The request says something that it cannot."
        case 401: "A token is needed, or this one does not count."
        case 403: "The token permits too little, or the path is not allowed."
        case 404: "There is nothing under this name."
        case 405: "The path has other methods."
        case 408: "The request came too slowly."
        case 409: "The state of what is named does not permit this."
        case 411: "The request has to say its length."
        case 412: "The version of the protocol, or the content, is another one."
        case 413: "The body is too large."
        case 414: "The address is too long."
        case 415: "The body has another content type than is needed."
        case 416: "The range lies behind the end."
        case 417: "What the client expects cannot be met."
        case 421: "The server does not answer under this name."
        case 422: "The request is in order, but what it names cannot be used."
        case 431: "The request's fields are too large."
        case 460: "The checksum is that of other bytes."
        case 500: "The server is at fault."
        case 501: "The server does not know the method."
        case 502: "The origin answers with what cannot be used."
        case 503: "The server cannot do this now; it says when to try again."
        case 504: "The origin does not answer."
        case 507: "The disk has too little room."
        default: "A failure."
        }
    }
}
