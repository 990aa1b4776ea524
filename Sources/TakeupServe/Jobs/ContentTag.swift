internal import TakeupDigest
internal import TakeupHTTP

/// Validators of small documents, made from their content.
enum ContentTag {
    static func of(_ text: String) -> String { "\"\(SHA256Digest.of(text).prefix(32))\"" }

    /// Answers with JSON, or with 304 where the client has it; either tells its length.
    static func response(_ text: String, to request: HTTPRequest) -> HTTPResponse {
        let tag = of(text)
        var response = HTTPResponse.json(text: text, [("ETag", tag)])
        response.fields.set("Cache-Control", "no-cache")
        guard matches(tag, request.fields) else { return response }
        return HTTPResponse(
            304, [("ETag", tag), ("Cache-Control", "no-cache")], body: response.body)
    }

    /// Whether the client has this content, by its `If-None-Match`.
    static func matches(_ tag: String, _ fields: HTTPFields) -> Bool {
        fields.values("If-None-Match").contains { value in
            value.split(separator: ",").contains { part in
                var part = part.drop { $0 == " " || $0 == "\t" }
                while part.last == " " || part.last == "\t" { part.removeLast() }
                return part == "*" || part == tag || part == "W/\(tag)"
            }
        }
    }
}
