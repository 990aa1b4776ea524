internal import TakeupFields

/// The head of a response that the server writes itself, in the middle of a request.
enum RawHead {
    static func text(_ response: HTTPResponse, id: String, now: Int64, bodyBytes: Int) -> String {
        var lines = ["HTTP/1.1 \(response.status) \(ReasonPhrase.of(response.status))"]
        lines.append("Date: \(HTTPDate(secondsSince1970: now))")
        lines.append("Connection: close")
        let own = ["date", "connection", "content-length", "transfer-encoding"]
        for field in response.fields.all where !own.contains(field.name.lowercased()) {
            guard field.value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { continue }
            lines.append("\(field.name): \(field.value)")
        }
        if response.fields["X-Request-Id"] == nil { lines.append("X-Request-Id: \(id)") }
        lines.append("Content-Length: \(bodyBytes)")
        return lines.joined(separator: "\r\n") + "\r\n\r\n"
    }
}
