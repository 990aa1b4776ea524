import TakeupCurl
import Testing

@Suite("Response head")
struct ResponseHeadTests {
    @Test("finds a field by its name in any case")
    func names() {
        let head = ResponseHead(status: 206, fields: [.init(name: "ETag", value: "\"a\"")])
        #expect(head["etag"] == "\"a\"")
        #expect(head["last-modified"] == nil)
    }
}
