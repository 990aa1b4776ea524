import Testing

@testable import TakeupIntake

@Suite("Comments in JSON")
struct JSONCommentsTests {
    private func blanked(_ text: String) -> String {
        String(decoding: JSONComments.blanked(Array(text.utf8)), as: UTF8.self)
    }

    @Test(
        "comments and last commas go, and every line stays",
        arguments: [
            ("{\"a\": 1 // one\n}", "{\"a\": 1       \n}"), ("/* a\n b */{}", "    \n     {}"),
            ("[1, 2, /* c */ ]", "[1, 2          ]"), ("{\"a\": [1,],\n}", "{\"a\": [1 ] \n}"),
            ("// all", "      "), ("/**/1", "    1"), ("/*/1*/2", "      2"),
        ])
    func blanked(text: String, plain: String) {
        #expect(blanked(text) == plain)
    }

    @Test(
        "texts, and what is no comment, stay as they are",
        arguments: [
            "{\"u\": \"https://a/*b*/\"}", "[\"\\\"//\", \",]\"]", "/* no end", "1 / 2",
            "\"open //",
            "\"\\", "/", "[,1]", "{}",
        ])
    func kept(text: String) {
        #expect(blanked(text) == text)
    }
}
