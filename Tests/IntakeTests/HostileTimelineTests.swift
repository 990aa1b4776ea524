import Foundation
import TakeupIntake
import TakeupModel
import Testing

/// The readers of timelines are total: damaged files are read or refused, and nothing else happens.
@Suite("Damaged timelines")
struct HostileTimelineTests {
    /// The fuzzer's seeds, with the ending of their form.
    private static func seeds() throws -> [(ending: String, bytes: [UInt8])] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fuzzers/TimelineFuzzer/Seeds")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        return try names.map { name in
            let ending =
                name.hasSuffix(".json") ? "takeup.json" : String(name.suffix(4).dropFirst())
            return (
                name.hasSuffix(".otio") ? "otio" : ending,
                [UInt8](try Data(contentsOf: folder.appending(path: name)))
            )
        }
    }

    @Test("every seed is read")
    func seedsAreRead() throws {
        let seeds = try Self.seeds()
        #expect(Set(seeds.map(\.ending)) == ["otio", "edl", "takeup.json"])
        for (ending, bytes) in seeds {
            _ = try TimelineFile.read(bytes, name: "/cut/a.\(ending)") { ["a.mov", "b.mov"] }
        }
    }

    @Test("changed bytes end in a timeline that can be exported, or in a fault that says something")
    func mutations() throws {
        let rounds =
            ProcessInfo.processInfo.environment["TAKEUP_MUTATIONS"].flatMap(Int.init) ?? 300
        var random = Generator(state: 20)
        for (ending, seed) in try Self.seeds() {
            for _ in 0..<rounds {
                var bytes = seed
                for _ in 0..<Int.random(in: 1...4, using: &random) { mutate(&bytes, &random) }
                try check(bytes, ending)
            }
        }
    }

    private func mutate(_ bytes: inout [UInt8], _ random: inout Generator) {
        guard !bytes.isEmpty else { return }
        let place = Int.random(in: 0..<bytes.count, using: &random)
        let end = min(bytes.count, place + Int.random(in: 1...40, using: &random))
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &random)
        case 1: bytes[place] = "0123456789-:;.\"{}[],/*%eE".utf8.randomElement(using: &random) ?? 0
        case 2: bytes.removeSubrange(place..<end)
        case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
        default:
            let other = Int.random(in: 0..<bytes.count, using: &random)
            bytes.swapAt(place, other)
        }
    }

    private func check(_ bytes: [UInt8], _ ending: String) throws {
        do throws(BatchListError) {
            let read = try TimelineFile.read(bytes, name: "/cut/a.\(ending)") {
                ["a.mov", "b.mov"]
            }
            #expect(read.composition.fault == nil)
            let text = try TimelineFile.text(of: read.composition, at: "/cut/b.takeup.json")
            let again = try TimelineFile.read(Array(text.utf8), name: "/cut/b.takeup.json") { [] }
            #expect(again.composition == read.composition)
        } catch {
            guard case .invalid(_, let faults, _) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(!faults.isEmpty && faults.allSatisfy { !$0.reason.isEmpty })
        }
    }

    private struct Generator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 29
        }
    }
}
