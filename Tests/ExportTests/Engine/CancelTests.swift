import Foundation
import TakeupExport
import TestSupport
import Testing

@Suite("Cancelling", .tags(.media))
struct CancelTests {
    private func clip() throws -> Clip {
        try Clip.make(
            "busy.mkv",
            Clip.picture(size: "320x240", seconds: 4) + Clip.tone(seconds: 4)
                + ["-vf", "noise=alls=30:allf=t", "-c:v", "libx264", "-c:a", "flac"])
    }

    /// Milliseconds until the cancel, the same in every run.
    static let delays: [Int] = {
        var state: UInt64 = 20
        return (0..<20).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33 % 250)
        }
    }()

    @Test("at any moment leaves nothing", arguments: [true, false])
    func leavesNothing(byTask: Bool) async throws {
        let source = try clip().path
        var cancelled = 0
        for delay in Self.delays.suffix(byTask ? 10 : 20) {
            let trial = try ExportTrial()
            var settings = ExportSettings()
            settings.copy = .never
            settings.posterPath = trial.file("poster.jpg")
            let session = ExportSession(
                asset: Asset(path: source), preset: try ExportTrial.preset(), settings: settings)
            let output = trial.file("out.mp4")
            let task = Task { try await session.export(to: output) }
            try await Task.sleep(for: .milliseconds(delay))
            if byTask { task.cancel() } else { session.cancel() }
            switch await task.result {
            case .success:
                #expect(try trial.names() == ["out.mp4", "poster.jpg"])
            case .failure(let error):
                #expect(error as? ExportError == .cancelled)
                #expect(try trial.names() == [])
                cancelled += 1
            }
        }
        #expect(cancelled > 0)
    }
}
