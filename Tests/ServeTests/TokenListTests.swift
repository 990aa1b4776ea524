import Testing

@testable import TakeupServe

@Suite("A list of tokens")
struct TokenListTests {
    @Test("reads each line, whatever it ends with", arguments: ["\n", "\r\n", "\r"])
    func lineEnds(end: String) {
        let (reader, owner) = ("0123456789abcdef-reader", "0123456789abcdef-owner")
        let text = ["# tokens", "read \(reader) me", "", owner].joined(separator: end)
        let list = TokenList(text + end, path: "tokens")
        #expect(list.entries.map(\.scope) == [.read, .admin] && list.fault == nil)
        #expect(list.entries.first?.name == "me")
        #expect(list.entry(of: owner) != nil)
    }
}
