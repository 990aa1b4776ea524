import Foundation
import TakeupJobs
import TakeupModel
import TakeupTimeline
import Testing

@Suite("Job spec")
struct JobSpecTests {
    @Test("what is said of links is no part of the work")
    func links() {
        let spec = JobSpec("a", sources: ["/in/a.mov"])
        var strict = spec
        strict.followsLinks = false
        #expect(strict.isSameWork(as: spec) && spec.isSameWork(as: strict))
        #expect(strict.automaticID == spec.automaticID)
    }

    @Test(
        "an id names one job on one line, and is no path",
        arguments: [
            "", ".", "..", "a/b", "a\nb", "-a", "\u{0}", String(repeating: "x", count: 201),
        ])
    func badIDs(id: String) {
        #expect(JobSpec(id, sources: ["/in/a.mov"]).fault?.code == "invalidJob")
    }

    @Test("what no queue takes is said with what may be written instead")
    func faults() {
        let changes: [(inout JobSpec) -> Void] = [
            { $0.request.composition = Composition(joining: []) },
            { $0.request.composition = Composition(joining: ["a.mov"]) },
            { $0.request.composition = Composition(joining: [""]) },
            { $0.request.composition = Composition(joining: ["/in/a\u{0}b"]) },
            { $0.request.composition.tracks.append(.init(.video, [])) },
            { $0.request.composition.tracks = [] },
            { $0.request.output = "out.mp4" }, { $0.request.output = "/out/" },
            { $0.request.output = "/out/a.mkv" },
            { $0.priority = 1001 },
            { $0.retries = -1 }, { $0.request.settings.fileLengthLimit = 0 },
            { $0.expiresSeconds = .nan },
            { $0.request.settings.metadata = ["": "x"] },
            { $0.request.settings.posterPath = "/out/p.jpg" },
        ]
        let sound = JobSpec("ü 1", sources: ["/in/a.mov", "HTTPS://example.com/b"])
        #expect(sound.fault == nil)
        for (number, change) in changes.enumerated() {
            var spec = sound
            change(&spec)
            #expect(spec.fault?.hint.isEmpty == false, "change \(number)")
        }
    }
}

extension JobSpec {
    fileprivate init(_ id: String, sources: [String]) {
        self.init(
            id: JobID(rawValue: id),
            ExportRequest(
                Composition(joining: sources),
                preset: ExportPreset.sound(named: "p")))
    }
}

@Suite("A job spec that an earlier release wrote")
struct StoredSpecTests {
    /// As release 1.0 writes it.
    private let text = #"""
        {"copy":"never","duration":"1001/30000","expiresSeconds":60,"id":"a","metadata":{"title":"x"},
        "onReplaced":"accept","onTruncated":"salvage","output":"/out/a.mp4","overwrite":"unique","preset":{"content":
        "{\"audio\":null,\"container\":\"mp4\",\"description\":\"\",\"fastStart\":true,\"name\":\"small\",\"sizeLimit\":null,\"subtitles\":\"drop\",\"video\":{\"codec\":\"h264\"}}",
        "name":"small"},"priority":-7,"retries":2,"sizeLimit":1000000,"sources":["/in/a.mov","/in/b.mov"],"start":
        "1/3","stripsMetadata":true,"timeoutSeconds":9,"verify":"full","version":1,"attributes":"source","followsLinks":
        false,"notBefore":7}
        """#

    private func decoded(_ text: String) throws -> JobSpec {
        try JSONDecoder().decode(JobSpec.self, from: Data(text.utf8))
    }

    @Test("says all that its stored words say")
    func known() throws {
        let spec = try decoded(text)
        let (request, settings) = (spec.request, spec.request.settings)
        #expect(request.composition == Composition(joining: ["/in/a.mov", "/in/b.mov"]))
        #expect((request.preset.name, request.preset.video?.codec) == ("small", .h264))
        #expect(request.output == "/out/a.mp4")
        #expect(settings.timeRange?.start == MediaTime(value: 1, timescale: 3))
        #expect(settings.timeRange?.duration == MediaTime(value: 1001, timescale: 30_000))
        #expect((settings.copy, settings.onTruncated) == (.never, .salvage))
        #expect((settings.overwrite, settings.verification) == (.unique, .full))
        #expect((settings.metadata, settings.stripsMetadata) == (["title": "x"], true))
        #expect(settings.fileLengthLimit == 1_000_000)
        #expect((spec.expiresSeconds, spec.priority, spec.retries) == (60, -7, 2))
        #expect((spec.followsLinks, spec.onReplaced, spec.attributes) == (false, .accept, .source))
        #expect((spec.notBefore, spec.timeoutSeconds) == (7, 9))
    }

    @Test("is the same work after it was stored again, under the same names")
    func again() throws {
        let spec = try decoded(text)
        let stored = String(decoding: try JSONEncoder().encode(spec), as: UTF8.self)
        let again = try decoded(stored)
        #expect(again == spec)
        #expect(again.isSameWork(as: spec))
        let form = try JSONEncoder().encode(try JobSpec.FirstForm(again))
        #expect(try decoded(String(decoding: form, as: UTF8.self)) == spec)
        // As release 1.0 names it.
        #expect(again.automaticID == spec.automaticID)
    }

    @Test("a policy that is not known is not taken for another")
    func unknown() {
        for (word, other) in [("salvage", "mend"), ("unique", "hide"), ("full", "half")] {
            #expect(throws: DecodingError.self) { try decoded(text.replacing(word, with: other)) }
        }
    }
}
