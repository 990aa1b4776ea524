import Foundation
import TakeupLanes
import TestSupport
import Testing

@testable import TakeupFetch

@Suite("Source library")
struct SourceLibraryTests {
    @Test("a source that somebody is putting in order holds up no other")
    func opensBeside() throws {
        let trial = try LoaderTrial()
        let (origin, store) = (trial.origin, trial.library.store)
        let key = SourceKey(address: origin.url("/slow.mp4"))
        _ = try store.open(key, address: "slow")
        let folder = "\(store.path)/\(key.shard)/\(key)"
        // As another process that holds the source before there is anything to follow.
        let lock = open("\(folder)/\(SourceLayout.lock)", O_RDWR | O_CLOEXEC)
        #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
        #expect(unlink("\(folder)/\(SourceLayout.journal)") == 0)
        let probe = open(folder, O_RDONLY | O_CLOEXEC)
        defer { close(probe) }
        let isOpen = Locked(false)
        let group = LaneGroup()
        let library = trial.library
        group.start("slow") {
            _ = try? library.loader(for: origin.url("/slow.mp4"))
            isOpen.withLock { $0 = true }
        }
        // Whoever opens a source has its folder locked as used.
        #expect(
            origin.wait { _ in
                guard flock(probe, LOCK_EX | LOCK_NB) == 0 else { return true }
                flock(probe, LOCK_UN)
                return false
            })
        _ = try library.loader(for: origin.url("/other.mp4"))
        #expect(!isOpen.withLock { $0 })
        close(lock)
        group.wait()
    }

    @Test("a hundred who want the same source at once get the same session")
    func opensOnce() throws {
        let trial = try LoaderTrial()
        let found = Locked<[ResourceLoader]>([])
        let (library, address) = (trial.library, trial.origin.url("/a.mp4"))
        let group = LaneGroup()
        for _ in 0..<100 {
            group.start("open") {
                guard let loader = try? library.loader(for: address) else { return }
                found.withLock { $0.append(loader) }
            }
        }
        group.wait()
        let sessions = found.withLock { Set($0.map { ObjectIdentifier($0.session) }) }
        #expect(sessions.count == 1 && found.withLock { $0.count } == 100)
    }
}
