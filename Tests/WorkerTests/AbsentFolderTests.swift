import Foundation
import TakeupJobs
import TakeupModel
import TestSupport
import Testing

@testable import TakeupWorker

@Suite("A source's folder that is away")
struct AbsentFolderTests {
    @Test("is waited for; a file that is gone from its folder fails its job")
    func waits() async throws {
        let trial = try WorkerTrial()
        let bytes = try Clip.base(seconds: 1).bytes()
        let away = try trial.directory.write(bytes, to: "disk/clip.mov")
        let gone = try trial.directory.write(bytes, to: "here/gone.mov")
        _ = try trial.store.submit([
            try trial.spec("away", [away]), try trial.spec("gone", [gone]),
        ])
        let (disk, elsewhere) = (trial.directory.file("disk"), trial.directory.file("elsewhere"))
        try FileManager.default.moveItem(atPath: disk, toPath: elsewhere)
        try FileManager.default.removeItem(atPath: gone)
        let worker = try trial.worker()
        worker.start()
        let end = ContinuousClock.now + .seconds(60)
        func job(_ id: String) throws -> JobRecord {
            try #require(try trial.store.job(JobID(rawValue: id)))
        }
        while try job("gone").state != .failed || job("away").note == nil {
            try #require(ContinuousClock.now < end)
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(try job("gone").fault?.code == "inputMissing")
        #expect(try job("away").note?.contains(disk) == true)
        #expect(try !job("away").state.isTerminal)
        try FileManager.default.moveItem(atPath: elsewhere, toPath: disk)
        let jobs = try await trial.end(["away"], of: worker)
        #expect(jobs["away"]?.state == .succeeded)
    }

    @Test("is told from another file system that is not mounted there now")
    func mount() throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(Data("a".utf8), to: "disk/a")
        let known = try #require(SourceMark.of(path))
        #expect(known.absentFolder(of: path) == nil)
        try FileManager.default.removeItem(atPath: path)
        #expect(known.absentFolder(of: path) == nil)
        let text = try JSONEncoder().encode(known)
        var fields = try #require(try JSONSerialization.jsonObject(with: text) as? [String: Any])
        fields["device"] = try #require(fields["device"] as? Int) + 1
        let other = try JSONDecoder().decode(
            SourceMark.self, from: JSONSerialization.data(withJSONObject: fields))
        #expect(other == known)
        #expect(other.absentFolder(of: path) == directory.file("disk"))
        // A number of this machine tells something here; another machine's does not.
        #expect(other.absentFolder(of: path, isShared: true) == directory.file("disk"))
        fields["origin"] = "another machine"
        let foreign = try JSONDecoder().decode(
            SourceMark.self, from: JSONSerialization.data(withJSONObject: fields))
        #expect(foreign == known && foreign.absentFolder(of: path, isShared: true) == nil)
        #expect(foreign.absentFolder(of: path) == directory.file("disk"))
        fields["device"] = nil
        let old = try JSONDecoder().decode(
            SourceMark.self, from: JSONSerialization.data(withJSONObject: fields))
        #expect(old == known && old.absentFolder(of: path) == nil)
    }
}
