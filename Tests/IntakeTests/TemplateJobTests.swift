import Foundation
import TakeupIntake
import TakeupJobs
import TakeupModel
import TakeupTimeline
import Testing

@Suite("Jobs by a template")
struct TemplateJobTests {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().appendingPathComponent("../../presets/templates").standardized

    private func job(
        _ text: String, _ options: BatchOptions = BatchOptions()
    ) throws -> JobSpec {
        let document = try JobDocument(
            parsing: Array(text.utf8), options: options, from: "/in", mostJobs: 10)
        return try document.entries[0].get()
    }

    private func fault(
        _ text: String, _ options: BatchOptions = BatchOptions()
    ) -> String {
        let error = #expect(throws: BatchFault.self) { try job(text, options) }
        return error?.description ?? ""
    }

    @Test("the shipped ones are the files of presets/templates, with every key")
    func shipped() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        let shipped = CompositionTemplate.shipped
        #expect(files.sorted() == shipped.map { "\($0.name).json" }.sorted())
        for template in shipped {
            let file = Self.folder.appendingPathComponent("\(template.name).json")
            let written = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
            let whole = try JSONSerialization.jsonObject(with: JSONEncoder().encode(template))
            #expect(written as? NSDictionary == whole as? NSDictionary)
            #expect(!template.description.isEmpty)
            #expect((try? ExportPreset.named(template.preset)) != nil)
        }
    }

    @Test("are its composition and its preset, from every list")
    func composition() throws {
        let template = try CompositionTemplate.resolve("stories")
        let spec = try job(
            #"{"source": ["a.mov", "b.mov"], "template": "stories", "music": "m.mp3"}"#)
        #expect(
            spec.request.composition
                == template.composition(of: ["/in/a.mov", "/in/b.mov"], music: "/in/m.mp3"))
        #expect(spec.request.preset.name == "stories")
        let list = try BatchList(
            parsing: Array("source,template,preset\na.mov,stories,low\n".utf8), as: .csv,
            name: "/in/list.csv", options: BatchOptions())
        #expect(list.jobs[0].request.preset.name == "low")
        #expect(
            list.jobs[0].request.composition == template.composition(of: ["/in/a.mov"]))
        var single = SingleJob(sources: ["a.mov"], folder: "/in")
        (single.template, single.preset) = ("stories", "medium")
        var options = BatchOptions()
        options.preset = "low"
        #expect(try single.spec(options).request.preset.name == "medium")
        single.preset = nil
        #expect(try single.spec(options).request.preset.name == "stories")
    }

    @Test(
        "are refused where they make no sense",
        arguments: [
            (#""template": "storys""#, "did you mean 'stories'?"),
            (#""music": "m.mp3""#, "needs a template"),
            (#""template": 3"#, "needs a text"),
            (#""template": "stories", "music": "x.otio""#, "a timeline stands alone"),
            (#""template": "./none.json""#, "cannot read the template /in/none.json"),
        ])
    func refused(members: String, words: String) {
        #expect(fault(#"{"source": "a.mov", \#(members)}"#).contains(words))
    }

    @Test("take no timeline, and name nothing that may not be named")
    func limits() throws {
        let timeline = #"{"version": 1, "tracks": [{"segments": [{"source": "a", "end": 1}]}]}"#
        #expect(
            fault(#"{"source": \#(timeline), "template": "stories"}"#).contains("not a timeline"))
        let own = try PresetFolderFixture()
        var options = BatchOptions()
        options.presetFolder = PresetFolder(path: own.path)
        #expect(
            try job(#"{"source": "a", "template": "mine"}"#, options).request.preset.name == "low")
        options.paths = PathRule(folders: ["/in"], refused: [], uploads: nil)
        let music = fault(
            #"{"source": "a", "template": "stories", "music": "/etc/m.mp3"}"#, options)
        #expect(music.contains("music") && music.contains("/etc/m.mp3"), "\(music)")
        let source = fault(
            #"{"source": "/etc/a", "template": "stories", "music": "m.mp3"}"#, options)
        #expect(source.contains("source") && source.contains("/etc/a"), "\(source)")
        #expect(
            fault(#"{"source": "a", "template": "./mine.json"}"#, options)
                .contains("which is not allowed here"))
        #expect(CompositionTemplate.names(in: options.presetFolder) == ["stories", "mine"])
    }
}

/// A folder of presets with one template in it.
private final class PresetFolderFixture {
    let path = NSTemporaryDirectory() + "takeup-templates-\(UUID().uuidString)"

    init() throws {
        try FileManager.default.createDirectory(
            atPath: "\(path)/templates", withIntermediateDirectories: true)
        try Data(#"{"name": "mine", "preset": "low"}"#.utf8)
            .write(to: URL(filePath: "\(path)/templates/mine.json"))
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
