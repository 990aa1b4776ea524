import TakeupHTTP
import Testing

@Suite("Header fields")
struct HTTPFieldsTests {
    @Test("are found whatever the case of their names, and keep their order")
    func caseless() {
        var fields = HTTPFields([("Range", "bytes=0-1"), ("X-A", "1"), ("x-a", "2")])
        #expect(fields["range"] == "bytes=0-1")
        #expect(fields.values("X-a") == ["1", "2"])
        fields.set("X-A", "3")
        #expect(fields.all.map(\.value) == ["bytes=0-1", "3"])
    }
}
