/// Why a request is refused before anybody looks at what it asks for.
struct HTTPFault: Error, Equatable {
    let status: Int
    /// Stable, for programs.
    let code: String
    let detail: String

    static func malformed(_ detail: String) -> HTTPFault {
        HTTPFault(status: 400, code: "malformedRequest", detail: detail)
    }

    static let bodyTooLarge = HTTPFault(
        status: 413, code: "bodyTooLarge", detail: "the body is larger than this path takes")

    /// What the library refused while it read, by the status that it chose.
    static func unreadable(_ status: Int) -> HTTPFault {
        switch status {
        case 413: bodyTooLarge
        case 414: targetTooLong
        case 431: headTooLarge
        case 505: HTTPFault(status: 505, code: "version", detail: "only HTTP/1.1 is spoken here")
        case 500...: HTTPFault(status: status, code: "internal", detail: "the server failed")
        default: malformed("the request is not HTTP/1.1")
        }
    }

    static let targetTooLong = HTTPFault(
        status: 414, code: "targetTooLong", detail: "the address is too long")
    static let headTooLarge = HTTPFault(
        status: 431, code: "headTooLarge", detail: "the header fields are too large")

    /// What a command ends with: an error of its own, or of the server.
    private var exitCode: Int { (500..<505).contains(status) ? 70 : 64 }

    /// The refusal as RFC 9457 has it; its texts hold nothing that JSON would escape.
    func response(instance id: String) -> HTTPResponse {
        let json =
            #"{"type":"about:blank","title":"\#(ReasonPhrase.of(status))","status":\#(status),"#
            + #""detail":"\#(detail)","code":"\#(code)","stage":"request","#
            + #""hint":"","exitCode":\#(exitCode),"instance":"\#(id)"}"#
        return HTTPResponse(
            status, [("Content-Type", "application/problem+json"), ("Cache-Control", "no-store")],
            body: .text(json))
    }
}
