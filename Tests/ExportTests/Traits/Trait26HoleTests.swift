import Foundation
import TakeupExport
import TakeupTimeline
import TestSupport
import Testing

@Suite("Trait 26: containers with a hole", .tags(.media))
struct Trait26HoleTests {
    private static let pictures = 150
    private static let rate = 25.0

    /// A container and the codecs in it.
    struct Form: CustomTestStringConvertible, Sendable {
        let name: String
        let options: [String]
        var testDescription: String { name }
    }

    static let forms = [
        Form(
            name: "hole.mkv", options: ["-c:v", "libx264", "-bf", "3", "-g", "50", "-c:a", "aac"]),
        Form(
            name: "unsized.mkv",
            options: ["-live", "1", "-c:v", "libx264", "-bf", "3", "-g", "50", "-c:a", "aac"]),
        Form(name: "hole.flv", options: ["-c:v", "libx264", "-g", "50", "-c:a", "aac"]),
        Form(name: "hole.webm", options: ["-c:v", "libvpx", "-g", "25", "-c:a", "libopus"]),
    ]

    private func whole(_ form: Form) throws -> Clip {
        try Clip.make(
            form.name,
            Clip.picture(size: "160x96", rate: "25", seconds: 6) + Clip.tone(seconds: 6)
                + form.options)
    }

    /// A part in the middle is overwritten with zeros.
    private func damaged(_ form: Form) throws -> Clip {
        try whole(form).edited(form.name, recipe: "zeros from 40 to 55 %") { bytes in
            bytes.resetBytes(in: bytes.count * 2 / 5..<bytes.count * 11 / 20)
        }
    }

    /// What is missing of the pictures by another reader's count.
    private func missing(_ clip: Clip) throws -> Int {
        let count = try MediaTools.packets(clip.path, stream: "v:0").count
        #expect(count > Self.pictures / 3 && count < Self.pictures - 10)
        return Self.pictures - count
    }

    @Test("every picture that is missing is counted, and where the container breaks off")
    func counts() async throws {
        for form in Self.forms {
            let clip = try damaged(form)
            let error = try await ExportTrial().refusal([clip.path])
            guard case .sourceIncomplete(_, let loss) = error else {
                Issue.record("\(form.name): \(String(describing: error))")
                continue
            }
            try expect(loss, clip)
        }
    }

    private func expect(_ loss: LossReport, _ clip: Clip) throws {
        let missing = try missing(clip)
        let told = loss.details.contains { $0.contains("video: \(missing) pictures are missing") }
        #expect(told, "\(missing) of \(clip.path): \(loss.details)")
        #expect(loss.details.contains { $0.contains("breaks off at byte") })
        #expect(loss.lostSeconds.seconds > Double(missing) / Self.rate - 0.01)
        #expect(loss.lostSeconds.seconds < Double(missing) / Self.rate + 0.5)
    }

    @Test("what is salvaged says the same, and the damage besides", arguments: forms)
    func salvages(form: Form) async throws {
        let clip = try damaged(form)
        let trial = try ExportTrial()
        let settings = ExportTrial.settings(onTruncated: .salvage)
        let (path, report) = try await trial.export([clip.path], settings: settings)
        try expect(try #require(report.loss), clip)
        #expect(abs((try MediaTools.probe(path).format.duration ?? 0) - 6) < 0.2)
    }

    @Test("what is salvaged as it is says the same")
    func copies() async throws {
        let clip = try damaged(Self.forms[0])
        let trial = try ExportTrial()
        let session = ExportSession(
            asset: Asset(path: clip.path), preset: try .named("passthrough"),
            settings: ExportTrial.settings(onTruncated: .salvage))
        try expect(
            try #require(try await session.export(to: trial.file("out.mp4")).loss), clip)
    }

    @Test("verifying names what is missing", arguments: forms)
    func verifies(form: Form) async throws {
        #expect(try await Verification.decodeWhole(whole(form).path).problems == [])
        let clip = try damaged(form)
        let found = try await Verification.decodeWhole(clip.path)
        let missing = try missing(clip)
        #expect(found.problems.contains { $0.contains("\(missing) pictures are missing") })
        #expect(found.lostSeconds.seconds > Double(missing) / Self.rate - 0.01)
    }

    @Test("verifying says that a file is cut short, or that nothing comes behind a hole")
    func verifiesCut() async throws {
        for form in Self.forms {
            let clip = try whole(form)
            let size = try clip.bytes().count
            let cut = try clip.truncated(toBytes: size * 6 / 10 | 1, as: form.name)
            let problems = try await Verification.decodeWhole(cut.path).problems
            #expect(!problems.isEmpty, "\(form.name)")
        }
        let clip = try whole(Self.forms[0]).edited("tail.mkv", recipe: "zeros from 50 % on") {
            $0.resetBytes(in: $0.count / 2..<$0.count)
        }
        let found = try await Verification.decodeWhole(clip.path)
        #expect(found.problems.contains { $0.contains("the header promises 6.0") })
        #expect(found.lostSeconds.seconds > 2)
    }

    @Test("pages that were cut out of an Ogg file are missed by their numbers")
    func pages() async throws {
        let form = Form(name: "pages.ogv", options: ["-c:v", "libtheora", "-c:a", "libvorbis"])
        #expect(try await Verification.decodeWhole(whole(form).path).problems == [])
        let clip = try whole(form).edited("pages.ogv", recipe: "without 40 to 55 %") {
            $0.removeSubrange($0.count * 2 / 5..<$0.count * 11 / 20)
        }
        let error = try await ExportTrial().refusal([clip.path])
        guard case .sourceIncomplete(_, let loss) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        let missing = try Double(missing(clip)) / Self.rate
        #expect(abs(loss.lostSeconds.seconds - missing) < 0.3, "\(loss)")
    }

    @Test("clusters that were cut out leave a hole though every element is whole")
    func clusters() async throws {
        let form = Form(
            name: "clusters.mkv",
            options: ["-cluster_time_limit", "500", "-c:v", "libx264", "-g", "12", "-c:a", "aac"])
        let cluster = Data([0x1F, 0x43, 0xB6, 0x75])
        let clip = try whole(form).edited("clusters.mkv", recipe: "without clusters 4 and 5") {
            var places: [Int] = []
            var from = 0
            while let found = $0.range(of: cluster, in: from..<$0.count) {
                places.append(found.lowerBound)
                from = found.upperBound
            }
            $0.removeSubrange(places[4]..<places[6])
        }
        let found = try await Verification.decodeWhole(clip.path)
        let missing = try missing(clip)
        #expect(found.problems.contains { $0.contains("\(missing) pictures are missing") })
    }
}
