package import TakeupHTTP
package import TakeupModel

/// Failures as HTTP tells them.
///
/// - Note: Source: RFC 9457.
package enum Problem {
    /// Seconds after which another try makes sense, where a failure is temporary.
    private static let retrySeconds = 5

    /// - Parameters:
    ///   - failure: What went wrong.
    ///   - status: nil for the one that belongs to the failure's exit code.
    ///   - id: The request's.
    /// - Returns: An answer of `application/problem+json`.
    package static func response(
        _ failure: Failure, status: Int? = nil, instance id: String
    ) -> HTTPResponse {
        let status = status ?? self.status(of: failure)
        let json: JSONValue = [
            "type": "about:blank", "title": .text(ReasonPhrase.of(status)),
            "status": .integer(Int64(status)), "detail": .text(failure.message),
            "code": .text(failure.code), "stage": .text(failure.stage),
            "hint": .text(failure.hint), "exitCode": .integer(Int64(failure.exitCode.rawValue)),
            "instance": .text(id),
        ]
        var response = HTTPResponse(
            status, [("Content-Type", "application/problem+json"), ("Cache-Control", "no-store")],
            body: .text("\(json)\n"))
        if status == 503 || status == 429 { response.fields.set("Retry-After", "\(retrySeconds)") }
        return response
    }

    /// The status that belongs to an exit code.
    package static func status(of failure: Failure) -> Int {
        // Another server at the same address may be of the newer version already.
        if ["tooManyFiles", "databaseTooNew"].contains(failure.code) { return 503 }
        if failure.disposition == .diskFull || failure.code == "diskFull" { return 507 }
        return switch failure.exitCode {
        case .usage: 400
        case .notMedia: 422
        case .inputMissing: 404
        // Nobody waited any more, or the server was told to end.
        case .unavailable, .temporary, .interrupted, .terminated: 503
        case .outputNotCreated: 409
        case .notPermitted: 403
        default: 500
        }
    }
}

extension Failure {
    /// A refusal of a request itself.
    package static func request(
        _ code: String, _ message: String, hint: String = "", _ ending: Ending = .usage
    ) -> Failure {
        Failure(code: code, stage: "request", message: message, hint: hint, ending: ending)
    }
}
