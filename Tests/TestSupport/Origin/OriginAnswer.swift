/// What a `TestOrigin` has decided to answer.
struct OriginAnswer: Equatable {
    /// A piece of a body.
    enum Part: Equatable {
        case literal([UInt8])
        case content(Range<Int64>)
    }

    /// How the end of the body is told.
    enum Framing: Equatable {
        case length, chunked, endless, untilClose
    }

    /// 0 for no answer at all.
    var status: Int
    var fields: [OriginField] = []
    var parts: [Part] = []
    var framing = Framing.length
    /// Whether the connection ends behind it.
    var closes = false
    /// How the connection ends instead of any answer.
    var hangUp: OriginCut.Ending?
    /// The bytes that `parts` are of, when they are not the object's own.
    var content: OriginContent?

    /// How long the parts are together.
    var bodyBytes: Int64 {
        parts.reduce(0) { sum, part in
            switch part {
            case .literal(let bytes): sum + Int64(bytes.count)
            case .content(let range): sum + Int64(range.count)
            }
        }
    }

    /// A whole answer of bytes at hand.
    static func fixed(_ status: Int, _ fields: [OriginField] = [], body: [UInt8] = [])
        -> OriginAnswer
    {
        var answer = OriginAnswer(status: status, fields: fields)
        if !body.isEmpty { answer.parts = [.literal(body)] }
        if status != 304 { answer.fields.append(OriginField("Content-Length", "\(body.count)")) }
        return answer
    }

    /// The head as it goes out, the empty line too.
    func head(_ faults: OriginHeadFaults) -> [UInt8] {
        var text = "HTTP/1.1 \(status) \(Self.reason(status))\r\n"
        for field in fields + faults.padding {
            text += "\(faults.name(field.name)): \(field.value)\r\n"
        }
        return Array((text + "\r\n").utf8)
    }

    private static func reason(_ status: Int) -> String {
        [
            200: "OK", 206: "Partial Content", 301: "Moved Permanently", 302: "Found",
            303: "See Other", 304: "Not Modified", 307: "Temporary Redirect",
            308: "Permanent Redirect", 400: "Bad Request", 403: "Forbidden", 404: "Not Found",
            405: "Method Not Allowed", 410: "Gone", 412: "Precondition Failed",
            416: "Range Not Satisfiable", 429: "Too Many Requests", 500: "Internal Server Error",
            503: "Service Unavailable",
        ][status] ?? "Status"
    }
}
