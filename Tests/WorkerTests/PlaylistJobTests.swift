import Foundation
import TakeupExport
import TakeupJobs
import TestSupport
import Testing

@testable import TakeupWorker

@Suite("Jobs with playlists")
struct PlaylistJobTests {
    private func spec(
        _ trial: RemoteTrial, _ id: String, _ source: String, preset name: String
    ) throws -> JobSpec {
        var spec = try trial.trial.spec(id, [source], output: "\(id).mp4")
        var preset = try ExportPreset.named(name)
        preset.video?.speed = "ultrafast"
        spec.request.preset = preset
        return spec
    }

    @Test("the variant is the one of the job's preset; two presets do not mix")
    func variants() async throws {
        let trial = try RemoteTrial()
        let clips = [
            360: try RemoteTrial.clip(seconds: 1), 1080: try RemoteTrial.clip(seconds: 2),
        ]
        trial.origin.servePlaylist(clips)
        let address = trial.origin.url("/master.m3u8")
        let jobs = ["a": ("640x480", 360), "b": ("1920x1080", 1080)]
        for (id, (preset, height)) in jobs.sorted(by: { $0.key < $1.key }) {
            _ = try trial.trial.store.submit([try spec(trial, id, address, preset: preset)])
            let job = try #require(try await trial.trial.run([id])[id])
            #expect(job.state == .succeeded, "\(job.fault as Any)")
            let clip = try #require(clips[height])
            #expect(trial.origin.bytesServed("/\(height).mp4") <= Int64(clip.count) + 9)
            #expect(trial.origin.requestCount("/1080.mp4") == 0 || id == "b")
            let local = try trial.trial.directory.write(Data(clip), to: "source-\(id).mp4")
            let other = "local-\(id)"
            _ = try trial.trial.store.submit([try spec(trial, other, local, preset: preset)])
            let expected = try #require(try await trial.trial.run([other])[other])
            #expect(try trial.frames(of: job) == (try trial.frames(of: expected)))
        }
        _ = try trial.trial.store.submit([try spec(trial, "c", address, preset: "640x480")])
        #expect(try await trial.trial.run(["c"])["c"]?.state == .cached)
    }
}
