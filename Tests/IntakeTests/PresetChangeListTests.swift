import Foundation
import TakeupJobs
import TakeupModel
import Testing

@testable import TakeupIntake

@Suite("Changes of presets in lists")
struct PresetChangeListTests {
    private func preset(_ job: JobSpec) -> ExportPreset { job.request.preset }

    @Test("command line, list and job add up, and a CSV has a column for each field")
    func levels() throws {
        var options = BatchOptions()
        options.presetChanges = [
            PresetChange("video.crf", "18"), PresetChange("audio.maxChannels", "1"),
        ]
        let text = """
            {"defaults": {"set": {"video.crf": 20, "fastStart": false}},
             "jobs": [{"source": "a.mov", "set": {"video.crf": 21.5, "video.maxBitRate": null}},
                      {"source": "b.mov", "set": null}]}
            """
        let jobs = try Lists.read(text, options: options)
        let first = preset(jobs[0])
        #expect(first.video?.crf == 21.5 && first.audio?.maxChannels == 1 && !first.fastStart)
        #expect(preset(jobs[1]).video?.crf == 20)
        #expect(jobs[0].request.preset.name == "medium")
        let plain = try Lists.read(#"[{"source": "a.mov"}]"#)
        #expect(plain[0].id != jobs[0].id)
        let csv = try Lists.read(
            "source,set.video.crf,set.audio.maxChannels\na.mov,22,\nb.mov,,1\n", as: .csv)
        #expect(preset(csv[0]).changes == [PresetChange("video.crf", "22")])
        #expect(preset(csv[1]).changes == [PresetChange("audio.maxChannels", "1")])
    }

    @Test(
        "what cannot be set is a fault of the job with its place",
        arguments: [
            (#"{"video.crff": 3}"#, "did you mean 'video.crf'?"),
            (#"{"video.crf": 99}"#, "needs a number from 1 to 51"),
            (#"{"video.crf": [1]}"#, "one value for"), ("[1]", "an object such as"),
        ])
    func faults(set: String, words: String) {
        let faults = Lists.faults(#"[{"source": "a.mov", "set": \#(set)}]"#)
        #expect(faults.count == 1 && faults[0].contains(words) && faults[0].contains("set"))
    }

    @Test("a CSV column for all changes is refused")
    func column() {
        let faults = Lists.faults("source,set\na.mov,video.crf=3\n", as: .csv)
        #expect(faults.first?.contains("set.video.crf") == true)
    }
}
