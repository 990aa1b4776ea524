import Foundation
import TakeupJobs
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
}
