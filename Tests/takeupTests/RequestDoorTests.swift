import Foundation
@testable import TakeupIngest
import TakeupIntake
import TakeupJobs
import TakeupMediaClient
import TakeupModel
import TakeupTimeline
import TestSupport
import Testing

@testable import TakeupWorker
@testable import takeup

@Suite("One request through every door")
struct RequestDoorTests {
    /// A request, and its spelling as options of a command line; a list and a folder file name the same options.
    private struct Wish {
        var request: ExportRequest
        var options: [(name: String, value: String?)] = []

        init(_ random: inout SeededRandom, number: Int) throws {
            func coin() -> Bool { random.below(2) == 0 }
            let presets = ["low", "medium", "1280x720", "hevc-1920x1080", "m4a"]
            let name = presets[random.below(presets.count)]
            var preset = try ExportPreset.named(name)
            options.append(("preset", name))
            if preset.video != nil, coin() {
                let change = PresetChange("video.crf", "\(18 + random.below(10))")
                preset = try preset.setting([change])
                options.append(("set", "\(change)"))
            }
            var settings = ExportSettings()
            if coin() {
                let start = MediaTime(value: Int64(random.below(5000)), timescale: 1000)
                let duration = MediaTime(value: 1001, timescale: 30_000)
                settings.timeRange = TimeRange(start: start, duration: duration)
                options += [
                    ("start", "\(start.value)/\(start.timescale)"), ("duration", "1001/30000"),
                ]
            }
            if coin() {
                settings.onTruncated = .salvage
                options.append(("on-truncated", "salvage"))
            }
            let overwrite = ExportSettings.Overwrite.allCases[random.below(3)]
            settings.overwrite = overwrite
            options.append(("overwrite", overwrite.rawValue))
            if coin() {
                settings.verification = .full
                options.append(("verify", "full"))
            }
            if coin() {
                settings.copy = .never
                options.append(("copy", "never"))
            }
            if coin() {
                settings.metadata = ["title": "ü=\(random.below(9))"]
                options.append(("metadata", "title=\(settings.metadata["title"] ?? "")"))
            }
            if coin() {
                settings.stripsMetadata = true
                options.append(("strip-metadata", nil))
            }
            if coin() {
                settings.fileLengthLimit = 25_000_000
                options.append(("size-limit", "25MB"))
            }
            request = ExportRequest(
                Composition(joining: ["/in/\(number) ü.mov"]), preset: preset, settings: settings)
        }

        var words: [String] {
            options.flatMap { name, value in ["--\(name)"] + (value.map { [$0] } ?? []) }
        }

        /// The members of a list's job, or of a folder's settings file.
        func json(
            _ key: (String) -> String, pairs: (String) -> Any = { $0 }
        ) -> [String: Any] {
            var members: [String: Any] = [:]
            for (name, value) in options {
                members[key(name)] =
                    ["set", "metadata"].contains(name) ? pairs(value ?? "") : value ?? true as Any
            }
            return members
        }
    }

    @Test("arguments, lists, folder files, programs and the queue give one value and one work key")
    func doors() async throws {
        var random = SeededRandom(state: 7)
        let queue = try QueueBench()
        for number in 0..<100 {
            let wish = try Wish(&random, number: number)
            let source = wish.request.sources[0]
            let found = [
                "a program": wish.request,
                "arguments": try await submitted(wish, source, queue),
                "a list": try listed(wish, source),
                "a folder file": try watched(wish, source),
                "the helper": try JSONDecoder().decode(
                    HelperRequest.self,
                    from: try JSONEncoder().encode(
                        HelperRequest(wish.request, sourceNames: [source]))
                ).request,
            ]
            let key = try WorkKey.make(wish.request, digests: ["ab"])
            for (door, request) in found {
                let isEqual = request == wish.request
                #expect(isEqual, "\(number), \(door): \(wish.words)")
                #expect(try WorkKey.make(request, digests: ["ab"]) == key, "\(door)")
                #expect(JobKey.make(request) == JobKey.make(wish.request), "\(door)")
            }
        }
    }

    /// By `takeup submit`, and out of the database.
    private func submitted(
        _ wish: Wish, _ source: String, _ queue: QueueBench
    ) async throws -> ExportRequest {
        let code = await Program.run(
            ["submit", source, "--home", "home", "--cache", "cache", "--json"] + wish.words,
            in: queue.context())
        #expect(code == .success)
        let id = try #require(queue.values("job").last)
        return try #require(try queue.store.job(JobID(rawValue: id))).spec.request
    }

    private func listed(_ wish: Wish, _ source: String) throws -> ExportRequest {
        var job = wish.json(Self.camelCase) { text in
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            return [parts[0]: parts[1]]
        }
        job["source"] = source
        let text = try JSONSerialization.data(withJSONObject: [job])
        return try BatchList(
            parsing: Array(text), as: .json, name: "/lists/list.json", options: BatchOptions()
        ).jobs[0].request
    }

    private func watched(_ wish: Wish, _ source: String) throws -> ExportRequest {
        let bench = try TestBench()
        let context = bench.context()
        let invocation = try ArgumentReader(["watch", "/in"], table: CommandTable.root).read()
        let settings = try Settings(
            options: WatchCommand.folderOptions, flags: [:], environment: [:], configuration: nil)
        let outer = CommandInput(
            path: invocation.path, arguments: invocation.arguments, settings: settings,
            invocation: invocation)
        var members = wish.json {
            $0
        } pairs: {
            [$0]
        }
        members["overwrite"] = nil
        let bytes = try JSONSerialization.data(withJSONObject: members)
        let inside = try FolderFile(path: "/in/.takeup-folder.json", Array(bytes))
            .inside(outer, [], skip: nil, in: context)
        var request = try SingleJob(sources: [source], folder: "/in").spec(inside.options).request
        // Whatever a folder's settings say, its outputs take the next free name.
        #expect(request.settings.overwrite == .unique)
        request.settings.overwrite = wish.request.settings.overwrite
        return request
    }

    private static func camelCase(_ name: String) -> String {
        let parts = name.split(separator: "-")
        return String(parts[0]) + parts.dropFirst().map(\.capitalized).joined()
    }

    @Test("pictures of one source with the sound of another are other work than both joined")
    func tracks() throws {
        let preset = try ExportPreset.named("low")
        let joined = ExportRequest(Composition(joining: ["/v", "/a"]), preset: preset)
        let split = ExportRequest(Composition(video: "/v", audio: "/a"), preset: preset)
        let digests = ["ab", "cd"]
        #expect(
            try WorkKey.make(joined, digests: digests) != WorkKey.make(split, digests: digests))
        #expect(JobKey.make(joined) != JobKey.make(split))
    }

    @Test("empty time and speeds are other work")
    func timelines() throws {
        let preset = try ExportPreset.named("low")
        let whole = Composition.Segment(source: "/v")
        let segments: [[Composition.Segment]] = [
            [whole], [.empty(MediaTime(seconds: Int64(1))), whole],
            [whole, .empty(MediaTime(seconds: Int64(1)))],
            [whole, .empty(MediaTime(seconds: Int64(2)))],
            [Composition.Segment(source: "/v", speed: Ratio(2, 1))],
            [Composition.Segment(source: "/v", speed: Ratio(1, 2))],
        ]
        let requests = segments.map {
            ExportRequest(Composition(tracks: [.init(.all, segments: $0)]), preset: preset)
        }
        let keys = try requests.map { try WorkKey.make($0, digests: ["ab"]) }
        #expect(Set(keys).count == segments.count)
        #expect(Set(requests.map(JobKey.make)).count == segments.count)
    }

    @Test("what a program asks for besides is other work, under another id")
    func fastStart() throws {
        let plain = ExportRequest(Composition(joining: ["/v"]), preset: try .named("low"))
        var front = plain
        front.settings.shouldOptimizeForNetworkUse = true
        var back = plain
        back.settings.shouldOptimizeForNetworkUse = false
        let requests = [plain, front, back]
        #expect(Set(try requests.map { try WorkKey.make($0, digests: ["ab"]) }).count == 3)
        let ids = requests.map { JobSpec(id: JobID(rawValue: "a"), $0).distinctID }
        #expect(Set(ids).count == 3)
    }
}
