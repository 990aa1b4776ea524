internal import CFuzzer
internal import Foundation
internal import TakeupFields
@testable internal import TakeupHTTP
@testable internal import TakeupServe

/// Reads the lines of an input as what clients put into requests: a target, and the fields whose values this program parses.
///
/// Nothing traps, ranges lie in the object, and what is written is read back as it was.
@main
enum HTTPFuzzer {
    private static let router = Router(
        ["/", "/v1/jobs/{id}", "/v1/jobs/{id}/events", "/p/{rest...}"].map { pattern in
            Route("GET", pattern, .read) { _ in .answer(HTTPResponse(200)) }
        })
    private static let tag = EntityTag("\"a\"")
    private static let date = HTTPDate(secondsSince1970: 784_111_777)

    static func main() {
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        exit(
            LLVMFuzzerRunDriver(&count, &arguments) { bytes, count in
                HTTPFuzzer.tryOut([UInt8](UnsafeBufferPointer(start: bytes, count: count)))
                return 0
            })
    }

    private static func tryOut(_ bytes: [UInt8]) {
        let lines = bytes.split(separator: 10, maxSplits: 5, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        for line in lines {
            checkRange(line)
            checkConditions(line)
            checkTarget(line)
            checkCredentials(line)
        }
        checkHead(bytes)
    }

    private static func checkRange(_ line: String) {
        guard let ranges = ByteRanges(line) else { return }
        precondition((1...ByteRanges.mostParts).contains(ranges.parts.count), "too many parts")
        for length in [0, 1, 1000, Int64.max] {
            let resolved = ranges.resolved(length: length)
            for (index, range) in resolved.enumerated() {
                precondition(!range.isEmpty && range.lowerBound >= 0, "an empty range")
                precondition(range.upperBound <= length, "beyond the end")
                precondition(!resolved[..<index].contains { $0.overlaps(range) }, "bytes twice")
            }
        }
    }

    private static func checkConditions(_ line: String) {
        for name in ["If-Match", "If-None-Match", "If-Modified-Since", "If-Range", "Range"] {
            let fields = HTTPFields([(name, line), ("Range", "bytes=0-8")])
            for length in [0, 1000, nil] as [Int64?] {
                let answer = RangeAnswer(
                    method: "GET", request: fields,
                    of: Representation(
                        length: length, tag: tag, modified: date, contentType: "a/b"),
                    now: date, boundary: "B")
                precondition([200, 206, 304, 412, 416].contains(answer.status), "a strange status")
                if case .part(let range) = answer.content {
                    precondition(range.upperBound <= length ?? 0, "beyond the end")
                }
            }
        }
        guard let read = HTTPDate(line, now: date) else { return }
        precondition(HTTPDate(read.description, now: date) == read, "a date reads differently")
    }

    private static func checkTarget(_ line: String) {
        let request = HTTPRequest(method: "GET", target: line)
        _ = AccessLine.target(request, "/p/{rest...}")
        _ = PercentText.query(request.query ?? "")
        if case .route(_, let parameters) = router.match(method: "GET", path: request.path) {
            precondition(parameters.values.allSatisfy { !$0.utf8.contains(0) }, "a NUL")
        }
        guard let parts = RequestSyntax.origin(of: line, method: "GET") else { return }
        precondition(parts.target.hasPrefix("/"), "no path")
        if let authority = parts.authority { _ = HostName(authority).isLiteral }
    }

    private static func checkCredentials(_ line: String) {
        let host = HostName(line)
        precondition(!host.isLoopback || host.name == "localhost" || host.isLiteral, "a name")
        let request = HTTPRequest(
            method: "GET", target: "/",
            fields: HTTPFields([("Cookie", line), ("Authorization", line)]))
        if let cookie = AccessGuard.cookie(request) {
            precondition(line.contains(cookie), "a cookie that nobody sent")
        }
        _ = AccessGuard.bearer(request)
        if let list = try? TokenList(line, path: "tokens") {
            precondition(!list.entries.isEmpty, "no tokens")
            precondition(list.entries.allSatisfy { $0.scope != .anyone }, "a token for everybody")
        }
    }

    private static func checkHead(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { raw in
            for (method, target) in [(3, 1), (0, 0), (raw.count / 4, raw.count / 4)] {
                _ = RequestSyntax.isStrict(raw, methodBytes: method, targetBytes: target)
            }
        }
    }
}
