import Foundation
import TestSupport
import Testing

@testable import TakeupFetch

@Suite("SourceKey")
struct SourceKeyTests {
    @Test("200 hostile addresses become names in the store and nothing else")
    func hostile() throws {
        let trial = try StoreTrial()
        var random = SeededRandom(state: 7)
        let words = ["..", "/", "\0", "\n", "etc/passwd", "%2e%2e", "\\", "~", "-rf", "é", "直播"]
        for number in 0..<200 {
            let count = Int(random.below(9))
            let address =
                "\(number)" + (0..<count).map { _ in words[Int(random.below(11))] }.joined()
            let file = try trial.open(address)
            #expect(file.address == address)
        }
        #expect(try trial.folder.names() == ["sources"])
        let shards = try FileManager.default.contentsOfDirectory(atPath: trial.store.path)
        #expect(
            shards.allSatisfy {
                SourceKey.isShard($0) || ["staging", "trash", "quarantine"].contains($0)
            })
        #expect(try trial.store.list().count == 200)
    }

    @Test(
        "takes nothing but 64 lower-case hexadecimal digits",
        arguments: [
            "", "ab", String(repeating: "A", count: 64), String(repeating: "g", count: 64),
            String(repeating: "a", count: 65), "../" + String(repeating: "a", count: 61),
            String(repeating: "a", count: 63) + "\u{301}", String(repeating: "é", count: 32),
        ])
    func refuses(_ text: String) {
        #expect(SourceKey(text) == nil)
    }
}
