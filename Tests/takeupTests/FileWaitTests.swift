@testable import TakeupIngest
import TakeupWatch
import Testing

@testable import takeup

@Suite("What a file waits for")
struct FileWaitTests {
    private func answers(_ wait: FileWait) -> [String] {
        wait.points.map { "\($0.isObstacle ? "! " : "")\($0.question) \($0.answer)" }
    }

    @Test(
        "it has to stand still for its time",
        arguments: [
            (10.0, 0.0, "! stands still not for 10 seconds more at least"),
            (10, 3.5, "! stands still not for 7 seconds more at least"),
            (10, 9.9, "! stands still not for 1 second more at least"),
            (10, 10, "stands still for the 10 seconds that it has to at least"),
            (0.2, 0, "! stands still not for 0.2 seconds more at least"),
        ])
    func standstill(stable: Double, age: Double, answer: String) {
        let wait = FileWait(path: "a.mov", stableSeconds: stable, ageSeconds: age)
        #expect(answers(wait) == [answer])
    }

    @Test("side-cars that still change keep it, those that stand still do not")
    func sideCars() {
        var wait = FileWait(path: "s/a.mov", stableSeconds: 10, ageSeconds: 60)
        wait.sideCars = [
            .init(name: "a.srt", ageSeconds: 30), .init(name: "a.wav", ageSeconds: 4),
        ]
        #expect(
            answers(wait).dropFirst() == [
                "! waits for a.wav, which does not stand still for 6 seconds more at least"
            ])
    }

    @Test(
        "its marker is asked for",
        arguments: [
            ("a.mov", false, "! marker a.mov.done is missing"),
            ("a.mov", true, "marker a.mov.done is there"),
            ("a.done", false, "! marker it is one itself"),
        ])
    func marker(path: String, isThere: Bool, answer: String) throws {
        var wait = FileWait(path: path, stableSeconds: 10, ageSeconds: 60)
        wait.marker = try ReadyMarker(setting: ".done")
        wait.isMarkerThere = isThere
        #expect(answers(wait).last == answer)
    }
}
