import Foundation
import TakeupJobs
import TakeupModel
import Testing

@Suite("Job spec")
struct JobSpecTests {
    @Test("what is said of links is no part of the work, and old specs say nothing of them")
    func links() throws {
        let preset = PresetSnapshot(name: "p", content: "{}")
        let spec = JobSpec(id: JobID(rawValue: "a"), sources: ["/in/a.mov"], preset: preset)
        var strict = spec
        strict.followsLinks = false
        #expect(strict.isSameWork(as: spec) && spec.isSameWork(as: strict))
        #expect(strict.automaticID == spec.automaticID)
        let old = try JSONEncoder().encode(spec)
        #expect(!String(decoding: old, as: UTF8.self).contains("followsLinks"))
        #expect(try JSONDecoder().decode(JobSpec.self, from: old).followsLinks == nil)
        let coded = try JSONEncoder().encode(strict)
        #expect(try JSONDecoder().decode(JobSpec.self, from: coded).followsLinks == false)
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
            { $0.sources = [] }, { $0.sources = ["a.mov"] }, { $0.sources = [""] },
            { $0.sources = ["/in/a\u{0}b"] }, { $0.output = "out.mp4" }, { $0.output = "/out/" },
            { $0.output = "/out/a.mkv" },
            { $0.priority = 1001 },
            { $0.retries = -1 }, { $0.sizeLimit = 0 }, { $0.expiresSeconds = .nan },
            { $0.metadata = ["": "x"] },
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
            id: JobID(rawValue: id), sources: sources,
            preset: PresetSnapshot(name: "p", content: "{}"))
    }
}

@Suite("A job spec that another version wrote")
struct StoredSpecTests {
    private let text = #"""
        {"copy":"never","id":"a","metadata":{},"onTruncated":"salvage","overwrite":"unique","preset":{"content":"{}",
        "name":"medium"},"priority":0,"retries":3,"sources":["/in/a.mov"],"stripsMetadata":false,"verify":"full",
        "version":1,"onReplaced":"accept"}
        """#

    @Test("has the policies that its stored words name")
    func known() throws {
        let spec = try JSONDecoder().decode(JobSpec.self, from: Data(text.utf8))
        #expect((spec.copy, spec.onTruncated, spec.overwrite) == (.never, .salvage, .unique))
        #expect((spec.verify, spec.onReplaced) == (.full, .accept))
    }

    @Test("a policy that is not known is not taken for another")
    func unknown() {
        let later = text.replacing("salvage", with: "mend")
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(JobSpec.self, from: Data(later.utf8))
        }
    }
}
