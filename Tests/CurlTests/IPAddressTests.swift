import TakeupCurl
import Testing

@Suite("Internet address")
struct IPAddressTests {
    @Test(
        "prints what it reads",
        arguments: ["0.0.0.0", "127.0.0.1", "255.255.255.255", "::", "::1", "2001:db8::1"])
    func prints(text: String) {
        #expect(IPAddress(text)?.description == text)
    }

    @Test(
        "is read strictly",
        arguments: [
            "", "1", "127.1", "127.0.1", "0x7f.0.0.1", "0177.0.0.1", "01.2.3.4", "1.2.3.4.",
            "1.2.3.4 ",
            " 1.2.3.4", "1.2.3.256", "1.2.3.4/32", "[::1]", "::1%lo", "::g", "1::2::3", "１.2.3.4",
            "1.2.3.4\0",
        ])
    func strict(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test("has 4 or 16 bytes")
    func bytes() {
        #expect(IPAddress(bytes: [127, 0, 0, 1])?.description == "127.0.0.1")
        #expect(IPAddress(bytes: [UInt8](repeating: 0, count: 16))?.isVersion6 == true)
        for count in [0, 3, 5, 15, 17] {
            #expect(IPAddress(bytes: [UInt8](repeating: 0, count: count)) == nil)
        }
    }
}
