internal import Foundation
internal import TakeupCache
internal import TakeupFiles
internal import TakeupJobs
internal import TakeupModel
internal import TakeupService

/// Whether a server can do what it is there for, and what is missing.
struct Readiness: Sendable {
    /// Bytes that have to be free in any case.
    private static let leastFreeBytes: Int64 = 16 << 20
    /// Descriptors that have to be free.
    private static let leastFreeFiles = 32

    struct Check: Sendable, Equatable {
        let name: String
        /// nil when all is well.
        let reason: String?

        var json: JSONValue {
            ["name": .text(name), "ok": .flag(reason == nil), "reason": .text(optional: reason)]
        }
    }

    let checks: [Check]

    var isReady: Bool { checks.allSatisfy { $0.reason == nil } }

    var json: JSONValue {
        ["ready": .flag(isReady), "checks": .list(checks.map(\.json))]
    }

    init(_ checks: [Check]) { self.checks = checks }

    /// Looks at everything; blocks on the database, the disk and, now and then, on a process that is started.
    init(_ tools: ServeTools) {
        let floor = max(tools.cache.limits.minFreeBytes, Self.leastFreeBytes)
        self.init([
            Check(name: "database", reason: Self.database(tools.queue)),
            Check(
                name: "disk",
                reason: Self.disk(tools.places.home, "home folder", floor)
                    ?? Self.disk(tools.places.cache, "cache", floor)),
            Check(name: "uploads", reason: Self.uploads(tools.desk.uploads)),
            Check(name: "cache", reason: Self.cache(tools.cache)),
            Check(name: "helper", reason: tools.desk.media.fault()?.message),
            Check(name: "files", reason: Self.files()),
            Check(name: "folders", reason: Self.folders(tools.settings.allowedPaths)),
        ])
    }

    private static func database(_ queue: QueueAccess) -> String? {
        do throws(Failure) {
            _ = try queue.depth()
            return nil
        } catch {
            return error.message
        }
    }

    private static func disk(_ path: String, _ name: String, _ floor: Int64) -> String? {
        do throws(FileError) {
            let free = try FreeSpace.bytes(at: path)
            return free < floor ? "the \(name) has \(free) bytes free, less than \(floor)" : nil
        } catch {
            return "the \(name) is not there: \(error.reason)"
        }
    }

    private static func uploads(_ uploads: UploadStore) -> String? {
        do throws(Refusal) {
            try uploads.requirePlace()
            return nil
        } catch {
            return error.failure.message
        }
    }

    private static func cache(_ cache: MediaCache) -> String? {
        do throws(CacheError) {
            try cache.requirePlace()
            return nil
        } catch {
            return Failure(error).message
        }
    }

    private static func files() -> String? {
        let most = OpenFileLimit.current
        guard let open = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        else { return "no more files can be opened" }
        return most - open.count < leastFreeFiles
            ? "\(open.count) of \(most) files are open" : nil
    }

    private static func folders(_ paths: [String]) -> String? {
        for path in paths {
            var facts = stat()
            guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR else {
                return "the allowed folder \(path) is not there"
            }
        }
        return nil
    }
}
