import Foundation
import TakeupCurl
import TakeupLanes
import TestSupport
import Testing

@testable import TakeupFetch

@Suite("Secrets of a source")
struct SecretTests {
    private static let canary = "c4n4ry"

    @Test("a secret in query, field or redirect is in no log, event, error or file (S9)")
    func staysHidden() async throws {
        let trial = try LoaderTrial {
            $0.originFields = [.init("Authorization", "Bearer \(Self.canary)")]
        }
        let content = LoaderTrial.content(700_000)
        trial.origin.serve("/b.mp4", OriginObject(content))
        for (path, location) in [
            ("/a.mp4", "/b.mp4?sig=\(Self.canary)#\(Self.canary)"),
            ("/c.mp4", "http://u:\(Self.canary)@127.0.0.1/"),
            ("/d.mp4", "http://10.0.0.1/?\(Self.canary)"), ("/e.mp4", "ftp://h/?\(Self.canary)"),
        ] {
            var object = OriginObject(content)
            object.faults.redirect = .init(.verbatim(location))
            trial.origin.serve(path, object)
        }
        trial.origin.serve("/f.mp4", OriginObject(content))
        trial.origin.change("/f.mp4") { $0.faults.answers = [.status(404)] }
        var seen: [String] = []
        for path in ["/a.mp4", "/b.mp4", "/c.mp4", "/d.mp4", "/e.mp4", "/f.mp4"] {
            let address = trial.origin.url("\(path)?token=\(Self.canary)#\(Self.canary)")
            let loader = try trial.library.loader(for: address)
            let events = loader.events()
            let error = try await Lane("test").run { () -> String in
                defer { loader.close() }
                do throws(FetchError) {
                    _ = try loader.information()
                    try loader.waitUntilComplete()
                    return ""
                } catch {
                    return "\(error) \(error.localizedDescription)"
                }
            }
            seen += [error, "\(loader.status)", loader.address, "\(loader.log)"]
            for await event in events { seen.append("\(event)") }
        }
        seen += trial.logs.withLock { $0.map { "\($0)" } }
        seen += try trial.library.store.list().map { "\($0)" }
        #expect(seen.count > 30)
        #expect(seen.filter { $0.contains(Self.canary) }.isEmpty)
        try expectNoFile(in: trial.library.store.path)
    }

    private func expectNoFile(in folder: String) throws {
        let files = FileManager.default
        for name in files.enumerator(atPath: folder)?.compactMap({ $0 as? String }) ?? [] {
            #expect(!name.contains(Self.canary))
            guard let bytes = files.contents(atPath: "\(folder)/\(name)") else { continue }
            #expect(bytes.range(of: Data(Self.canary.utf8)) == nil, "\(name)")
        }
    }
}
