internal import TakeupHTTP

/// Lets pages of every site read what a proxy address leads to: its signature is the permission, and no cookie counts.
///
/// - Note: Source: the Fetch Standard, 3.2.
enum ForeignSites {
    /// Fields of an answer that scripts may read, beside those that they always may.
    private static let shown =
        "Accept-Ranges, Age, Cache-Status, Content-Length, Content-Range, ETag, Retry-After, X-Request-Id"
    /// Fields of a request that change what is sent.
    private static let asked = [
        "Range", "If-Range", "If-Match", "If-None-Match", "If-Modified-Since",
        "If-Unmodified-Since", "Cache-Control",
    ]
    /// Seconds for which a browser need not ask again.
    private static let preflightSeconds = 86_400

    static func admit(_ response: HTTPResponse) -> HTTPResponse {
        var response = response
        response.fields.set("Access-Control-Allow-Origin", "*")
        response.fields.set("Access-Control-Expose-Headers", shown)
        // For pages that embed only what lets them.
        response.fields.set("Cross-Origin-Resource-Policy", "cross-origin")
        return response
    }

    /// The answer to a browser that is about to send a request, perhaps with fields that go on to the origin.
    static func preflight(passed: [String]) -> HTTPResponse {
        HTTPResponse(
            204,
            [
                ("Access-Control-Allow-Origin", "*"),
                ("Access-Control-Allow-Methods", "GET, HEAD, OPTIONS"),
                ("Access-Control-Allow-Headers", (asked + passed).joined(separator: ", ")),
                ("Access-Control-Max-Age", "\(preflightSeconds)"),
                ("Allow", "GET, HEAD, OPTIONS"),
            ])
    }
}
