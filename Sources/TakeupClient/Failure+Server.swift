internal import Foundation
internal import TakeupCurl
internal import TakeupModel

/// The members of `application/problem+json` that are read.
private struct ProblemDocument: Decodable {
    var detail: String?
    var title: String?
    var code: String?
    var stage: String?
    var hint: String?
    var exitCode: Int32?
}

extension ExitCode {
    /// A status that a server states; nil for one that no failure has.
    init?(stated number: Int32?) {
        guard let code = number.map(ExitCode.init(rawValue:)), code != .success,
            ExitCode.all.contains(code)
        else { return nil }
        self = code
    }
}

extension Failure {
    /// For a server that could not be asked.
    init(_ error: CurlError, from server: ServerAddress) {
        let isWrong: Bool
        switch error.kind {
        case .refused, .tls: isWrong = true
        case .resolve, .connect, .denied, .timeout, .tooSlow, .cut, .tooLarge, .protocol,
            .cancelled, .unreadableBody, .outOfFiles, .other:
            isWrong = false
        }
        self.init(
            code: "serverUnreachable", stage: "request",
            message: "the server at \(server.text) cannot be reached: \(error.reason)",
            hint: error.kind == .tls
                ? "check that the server speaks https, and that its certificate is trusted"
                : "check the address, and that the server runs",
            ending: Ending(.unavailable, isWrong ? .giveUp : .retry))
    }

    /// For an answer that is no success.
    ///
    /// - Parameters:
    ///   - body: A problem as RFC 9457 has it, or whatever something in between has sent.
    ///   - status: Of the answer.
    ///   - server: Who has answered.
    init(problem body: [UInt8], status: Int, from server: ServerAddress) {
        let problem = try? JSONDecoder().decode(ProblemDocument.self, from: Data(body))
        let exitCode = ExitCode(stated: problem?.exitCode) ?? Self.exitCode(of: status)
        let message =
            problem?.detail ?? problem?.title ?? "the server at \(server.text) answers \(status)"
        var hint = problem?.hint ?? ""
        if problem == nil, [404, 405, 501].contains(status) || status < 400 {
            self.init(
                code: "serverUnreachable", stage: "request",
                message: "no Takeup server answers at \(server.text): the answer is \(status)",
                hint: "check the address and the port", ending: Ending(.unavailable, .giveUp))
            return
        }
        if status == 401 || status == 403, problem?.code == nil || status == 401 {
            hint = hint.isEmpty ? "a token of the server may be needed" : hint
        }
        // Another server at the same address may do it, whatever this one lacks.
        let isTemporary =
            [.unavailable, .temporary].contains(exitCode) || [429, 503].contains(status)
        self.init(
            code: problem?.code ?? "httpStatus\(status)", stage: problem?.stage ?? "request",
            message: message, hint: hint,
            ending: Ending(
                exitCode, status == 507 ? .diskFull : isTemporary ? .retry : .giveUp))
    }

    /// The exit code that the API's statuses stand for.
    private static func exitCode(of status: Int) -> ExitCode {
        switch status {
        case 400, 405, 411, 413, 414, 415, 417, 421, 428, 431, 501: .usage
        case 401, 403: .notPermitted
        case 404, 410: .inputMissing
        case 409, 412: .outputNotCreated
        case 422: .notMedia
        case 408, 425, 429: .temporary
        case 502, 503, 504: .unavailable
        case 507: .inputOutput
        default: .internalError
        }
    }

    /// For an answer that says something that this version does not understand.
    static func unreadable(_ what: String, from server: ServerAddress) -> Failure {
        Failure(
            exitCode: .unavailable, code: "serverUnknown", stage: "request",
            message: "the server at \(server.text) answers with \(what)",
            hint: "look whether a server of this program, of the same version, listens there")
    }
}
