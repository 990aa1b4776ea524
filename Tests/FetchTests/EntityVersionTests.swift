import TakeupCurl
import TakeupFetch
import TakeupFields
import Testing

@Suite("Entity version")
struct EntityVersionTests {
    @Test("reads strong and weak tags, and nothing else")
    func tags() throws {
        let strong = try #require(EntityTag(#""a""#))
        let weak = try #require(EntityTag(#"W/"a""#))
        #expect(!strong.isWeak && weak.isWeak)
        #expect(EntityTag(#" W/"a" "#) == weak)
        #expect(EntityTag(#""""#) != nil)
        for text in ["", "a", #""a"#, #"w/"a""#, #"W/a"#, #""a"b""#, "\"a b\"", "\""] {
            #expect(EntityTag(text) == nil, "\(text)")
        }
        #expect(strong.matchesStrongly(strong))
        #expect(!weak.matchesStrongly(weak) && !strong.matchesStrongly(weak))
    }

    @Test(
        "takes a date for strong only a second after the change",
        arguments: [
            ("Sat, 21 Nov 2026 11:59:59 GMT", true), ("Sat, 21 Nov 2026 12:00:00 GMT", false),
            ("Sat, 21 Nov 2026 12:00:01 GMT", false), ("Sun, 21 Nov 2027 12:00:00 GMT", false),
        ])
    func strongDates(modified: String, isStrong: Bool) {
        let version = JudgeRow.version(["last-modified: \(modified)", JudgeRow.date])
        #expect(version.lastModified?.isStrong == isStrong)
        #expect(version.ifRange(.strict) == (isStrong ? modified : nil))
    }

    @Test(
        "is open-ended if neither a length, a range nor chunks tell the end",
        arguments: [
            ([], nil, true), ([], 1000, nil), (["transfer-encoding: chunked"], nil, nil),
            (["content-range: bytes 0-9/*"], nil, nil),
        ] as [([String], Int64?, Bool?)])
    func openEnded(fields: [String], length: Int64?, isOpenEnded: Bool?) {
        #expect(JudgeRow.version(fields, length: length).isOpenEnded == isOpenEnded)
    }

    @Test("trusts no date of an origin that does not tell its clock, nor one that is none")
    func noClock() {
        let version = JudgeRow.version([JudgeRow.modified])
        #expect(version.lastModified?.isStrong == false)
        #expect(version.ifRange(.perNode) == nil)
        #expect(JudgeRow.version(["last-modified: yesterday"]).lastModified == nil)
    }

    @Test("asks by strong tag, by date where no tag is, by nothing weak")
    func ifRange() {
        #expect(JudgeRow.tagged.ifRange(.strict) == #""a""#)
        #expect(JudgeRow.dated.ifRange(.strict) == "Fri, 20 Nov 2026 10:00:00 GMT")
        #expect(JudgeRow.weak.ifRange(.strict) == nil)
        #expect(JudgeRow.bare.ifRange(.strict) == nil)
        #expect(JudgeRow.full.ifRange(.strict) == #""a""#)
        #expect(JudgeRow.full.ifRange(.perNode) == "Fri, 20 Nov 2026 10:00:00 GMT")
    }

    @Test("matches by what both tell, and needs something in common")
    func matches() {
        let (tagged, dated, bare) = (JudgeRow.tagged, JudgeRow.dated, JudgeRow.bare)
        #expect(tagged.matches(tagged, .strict))
        #expect(!tagged.matches(JudgeRow.version([#"etag: "b""#]), .perNode))
        #expect(!tagged.matches(JudgeRow.version([#"etag: "a""#], length: 999), .strict))
        #expect(tagged.matches(bare, .strict))
        #expect(dated.matches(bare, .strict))
        #expect(bare.matches(bare, .strict))
        #expect(!JudgeRow.nothing.matches(bare, .strict))
        #expect(!JudgeRow.nothing.contradicts(bare, .strict))
        #expect(!JudgeRow.nothing.matches(JudgeRow.nothing, .strict))
        #expect(tagged.contradicts(JudgeRow.version([], length: 1), .strict))
    }

    @Test("forgives another tag of another node only when date and length agree")
    func perNode() {
        let other = JudgeRow.version([#"etag: "b""#, JudgeRow.modified])
        #expect(JudgeRow.full.matches(other, .perNode))
        #expect(!JudgeRow.full.matches(other, .strict))
        #expect(!JudgeRow.full.matches(JudgeRow.version([#"etag: "b""#]), .perNode))
        var unknown = other
        unknown.length = nil
        #expect(!JudgeRow.full.matches(unknown, .perNode))
    }

    @Test("forgives no other tag on a date that may hide a second change")
    func perNodeNeedsStrongDate() {
        let second = "last-modified: Sat, 21 Nov 2026 12:00:00 GMT"
        let here = JudgeRow.version([JudgeRow.date, second, #"etag: "a""#])
        #expect(!here.matches(JudgeRow.version([second, #"etag: "b""#]), .perNode))
        let unknown = JudgeRow.version([JudgeRow.modified, #"etag: "a""#])
        #expect(!unknown.matches(JudgeRow.version([JudgeRow.modified, #"etag: "b""#]), .perNode))
        #expect(!here.matches(JudgeRow.version([second, #"etag: W/"a""#]), .perNode))
    }

    @Test("joins nothing on a date alone that may hide a second change")
    func weakDateAlone() {
        let weak = JudgeRow.version([JudgeRow.modified], length: nil)
        #expect(!weak.matches(weak, .strict) && !weak.matches(weak, .perNode))
        #expect(!weak.contradicts(weak, .strict))
        let strong = JudgeRow.version([JudgeRow.date, JudgeRow.modified], length: nil)
        #expect(strong.matches(weak, .strict) && strong.matches(strong, .strict))
        // What is here may be from before the last change within the second.
        #expect(!weak.matches(strong, .strict))
        let whole = JudgeRow.version([JudgeRow.modified])
        #expect(whole.matches(whole, .strict))
        #expect(!whole.matches(weak, .strict) && !weak.matches(whole, .strict))
        let other = JudgeRow.version(["last-modified: Sat, 21 Nov 2026 09:00:00 GMT"])
        #expect(whole.contradicts(other, .strict) && weak.contradicts(other, .strict))
        let tag = #"etag: W/"a""#
        let tagged = JudgeRow.version([tag, JudgeRow.modified], length: nil)
        #expect(!tagged.matches(tagged, .strict) && !tagged.contradicts(tagged, .strict))
    }

    @Test("joins nothing on the same weak tag alone")
    func weakAlone() {
        let weak = JudgeRow.version([#"etag: W/"a""#], length: nil)
        #expect(!weak.matches(weak, .perNode) && !weak.matches(weak, .strict))
        #expect(!weak.contradicts(weak, .strict))
        #expect(!JudgeRow.weak.matches(weak, .strict))
        #expect(JudgeRow.weak.matches(JudgeRow.weak, .strict))
        #expect(!JudgeRow.weak.matches(JudgeRow.version([#"etag: W/"b""#]), .strict))
    }
}
