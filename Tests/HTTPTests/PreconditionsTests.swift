import TakeupFields
import TakeupHTTP
import Testing

@Suite("Conditions of a request")
struct PreconditionsTests {
    private static let early = "Sun, 06 Nov 1994 08:49:36 GMT"
    private static let changed = "Sun, 06 Nov 1994 08:49:37 GMT"
    private static let late = "Sun, 06 Nov 1994 08:49:38 GMT"
    private static let now = HTTPDate(secondsSince1970: 784_111_777 + 60)
    private static let modified = HTTPDate(secondsSince1970: 784_111_777)

    private static func verdict(
        _ fields: [(String, String)], method: String = "GET", tag: String? = "\"a\""
    ) -> Preconditions.Verdict {
        Preconditions.verdict(
            method: method, fields: HTTPFields(fields), tag: tag.flatMap { EntityTag($0) },
            modified: modified, now: now)
    }

    @Test(
        "are judged as RFC 9110 has them",
        arguments: [
            ([], .proceed),
            ([("If-Match", "\"a\"")], .proceed), ([("If-Match", "\"b\", \"a\"")], .proceed),
            ([("If-Match", "\"b\"")], .failed), ([("If-Match", "W/\"a\"")], .failed),
            ([("If-Match", "*")], .proceed), ([("If-Match", "a")], .failed),
            ([("If-Match", "\"b\""), ("If-Match", "\"a\"")], .proceed),
            ([("If-Unmodified-Since", changed)], .proceed),
            ([("If-Unmodified-Since", late)], .proceed),
            ([("If-Unmodified-Since", early)], .failed),
            ([("If-Unmodified-Since", "yesterday")], .proceed),
            // A date does not count beside tags.
            ([("If-Match", "\"a\""), ("If-Unmodified-Since", early)], .proceed),
            ([("If-None-Match", "\"a\"")], .notModified),
            ([("If-None-Match", "W/\"a\"")], .notModified),
            ([("If-None-Match", "*")], .notModified),
            ([("If-None-Match", "\"b,\\\", \"a\"")], .notModified),
            ([("If-None-Match", "\"b\"")], .proceed), ([("If-None-Match", "a")], .proceed),
            ([("If-None-Match", "\"b\""), ("If-Modified-Since", late)], .proceed),
            ([("If-Modified-Since", changed)], .notModified),
            ([("If-Modified-Since", late)], .proceed),
            ([("If-Modified-Since", early)], .proceed),
            ([("If-Modified-Since", "Sunday, 06-Nov-94 08:49:37 GMT")], .notModified),
            ([("If-Modified-Since", "Sun Nov  6 08:49:37 1994")], .notModified),
            ([("If-Modified-Since", "0")], .proceed),
            ([("If-Match", "\"b\""), ("If-None-Match", "\"a\"")], .failed),
        ] as [([(String, String)], Preconditions.Verdict)])
    func judged(fields: [(String, String)], verdict: Preconditions.Verdict) {
        #expect(Self.verdict(fields) == verdict)
    }

    @Test("of writing fail where those of reading say that nothing changed")
    func writing() {
        #expect(Self.verdict([("If-None-Match", "*")], method: "PUT") == .failed)
        #expect(Self.verdict([("If-Modified-Since", Self.late)], method: "PUT") == .proceed)
        #expect(Self.verdict([("If-None-Match", "\"a\"")], method: "HEAD") == .notModified)
    }

    @Test("about tags do not hold for what has none")
    func untagged() {
        #expect(Self.verdict([("If-Match", "\"a\"")], tag: nil) == .failed)
        #expect(Self.verdict([("If-None-Match", "\"a\"")], tag: nil) == .proceed)
    }

    @Test(
        "for a part hold with a strong tag or a date that is old enough",
        arguments: [
            ("\"a\"", true), ("\"b\"", false), ("W/\"a\"", false), ("a", false),
            (changed, true), (late, false), (early, false),
        ])
    func part(value: String, isPermitted: Bool) {
        let permitted = Preconditions.permitsRange(
            fields: HTTPFields([("If-Range", value)]), tag: EntityTag("\"a\""),
            modified: Self.modified, now: Self.now)
        #expect(permitted == isPermitted)
    }

    @Test("for a part do not hold with a weak tag, nor with a date of this very second")
    func weak() {
        let weak = Preconditions.permitsRange(
            fields: HTTPFields([("If-Range", "W/\"a\"")]), tag: EntityTag("W/\"a\""),
            modified: nil, now: Self.now)
        let fresh = Preconditions.permitsRange(
            fields: HTTPFields([("If-Range", Self.changed)]), tag: nil, modified: Self.modified,
            now: Self.modified)
        #expect(!weak && !fresh)
    }
}
