import TakeupWatch
import Testing

@Suite("File sets")
struct FileSetsTests {
    private func members(_ files: [String]) -> [String: [String]] {
        let sets = FileSets.sets(files: files)
        return Dictionary(uniqueKeysWithValues: sets.map { ($0.principal, $0.members) })
    }

    @Test("sound and subtitles go with the film of their stem")
    func sideCars() {
        let sets = members([
            "clip.mov", "clip.wav", "clip.en.srt", "clip.de.forced.SRT", "clip.srt", "clip2.srt",
            "other.mp4", "clip.txt",
        ])
        #expect(
            sets == [
                "clip.mov": [
                    "clip.de.forced.SRT", "clip.en.srt", "clip.mov", "clip.srt", "clip.wav",
                ],
                "clip2.srt": ["clip2.srt"], "other.mp4": ["other.mp4"], "clip.txt": ["clip.txt"],
            ])
        let kinds = FileSets.sets(files: ["a.mov", "a.wav", "b.mov"]).map(\.kind)
        #expect(kinds == [.withSideCars, .single])
    }

    @Test("the longest stem wins, and of two films the first")
    func nearest() {
        let sets = members(["a.mov", "a.en.mov", "a.en.srt", "b.mp4", "b.mov", "b.srt"])
        #expect(sets["a.en.mov"] == ["a.en.mov", "a.en.srt"])
        #expect(sets["a.mov"] == ["a.mov"])
        #expect(sets["b.mov"] == ["b.mov", "b.srt"])
        #expect(sets["b.mp4"] == ["b.mp4"])
    }

    @Test("subtitles go with sound alone; sound never goes with sound")
    func soundAlone() {
        let sets = members(["song.wav", "song.mp3", "song.srt", "song.live.wav"])
        #expect(sets["song.mp3"] == ["song.mp3", "song.srt"])
        #expect(sets["song.wav"] == ["song.wav"])
        #expect(sets["song.live.wav"] == ["song.live.wav"])
    }

    @Test("pictures numbered in a row are one sequence, with what is missing")
    func sequence() throws {
        let files = [1, 2, 3, 5, 9].map { "shot%_000\($0).png" } + ["shot.png"]
        let sets = FileSets.sets(files: files.reversed())
        #expect(sets.count == 2)
        let set = try #require(sets.first { $0.members.count == 5 })
        #expect(set.principal == "shot%_0001.png")
        guard case .sequence(let sequence) = set.kind else {
            Issue.record("no sequence")
            return
        }
        #expect(sequence.pattern == "shot%%_%04d.png")
        #expect((sequence.first, sequence.last, sequence.count) == (1, 9, 5))
        #expect(sequence.missing == [4, 6, 7, 8])
        #expect(sequence.missingCount == 4)
    }

    @Test("two in a row, other padding, or no pictures are no sequence")
    func noSequence() {
        #expect(FileSets.sets(files: ["a1.png", "a2.png", "a4.png"]).count == 3)
        #expect(FileSets.sets(files: ["a1.png", "a02.png", "a003.png"]).count == 3)
        #expect(FileSets.sets(files: ["a1.mov", "a2.mov", "a3.mov"]).count == 3)
        #expect(FileSets.sets(files: ["a1.png", "a2.png", "a3.jpg"]).count == 3)
    }

    @Test("a sequence with a great hole lists no more than its limit")
    func greatHole() throws {
        let files = ["001", "002", "003", "999"].map { "a999999999999\($0).exr" }
        let far = ["a000000000000001.exr"] + files
        let set = try #require(FileSets.sets(files: far).first)
        guard case .sequence(let sequence) = set.kind else {
            Issue.record("no sequence")
            return
        }
        #expect(sequence.missing.count == ImageSequence.mostListed)
        #expect(sequence.missingCount == sequence.last - sequence.first + 1 - 5)
    }

    @Test("a disc's folders are one set")
    func discs() {
        let sets = FileSets.sets(
            files: ["cover.jpg"], folders: ["VIDEO_TS", "AUDIO_TS", "extras"])
        #expect(sets.count == 2)
        #expect(sets[0].kind == .disc)
        #expect(sets[0].members == ["AUDIO_TS", "VIDEO_TS"])
        #expect(FileSets.sets(files: [], folders: ["bdmv"]).map(\.principal) == ["bdmv"])
    }

    @Test("each name is in one set, whatever the names are")
    func eachOnce() {
        var random = SeededRandom(state: 9)
        let pieces = ["a", "b", ".", "1", "01", ".mov", ".wav", ".srt", ".png", "%", "é", ".en"]
        for _ in 0..<500 {
            let files = Set(
                (0..<12).map { _ in
                    (0...random.below(4)).map { _ in pieces[random.below(pieces.count)] }.joined()
                })
            let sets = FileSets.sets(files: Array(files))
            #expect(sets.flatMap(\.members).sorted() == files.sorted())
            #expect(sets.allSatisfy { $0.members.contains($0.principal) })
        }
    }

    @Test("a set settles with its last member")
    func verdict() {
        #expect(FileSet.verdict([.settled, .settled]) == .settled)
        let waiting = FileSet.verdict([
            .waiting(untilSeconds: 5), .settled, .waiting(untilSeconds: 3),
        ])
        #expect(waiting == .waiting(untilSeconds: 5))
    }
}
