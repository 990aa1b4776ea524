internal import Foundation
public import TakeupModel
internal import TakeupSQL

extension Failure {
    /// Says what the cache could not do; total over its cases.
    public init(_ error: CacheError) {
        switch error {
        case .store(let error): self.init(error)
        case .foreign(let path, let owner):
            self = Self.cache(
                .configuration, "cacheForeign",
                "the cache \(path) belongs to another database (\(owner))",
                hint:
                    "give the database that it belongs to, choose another cache, or adopt this one"
            )
        case .notKnown(let path, let doubt, let lastPath):
            self = Self.cache(
                .configuration, "cacheNotKnown", Self.words(doubt, path, lastPath),
                hint: """
                    \(Self.way(back: lastPath, path))give the right cache; machines that share a database share a \
                    cache in a bucket; if \(path) is adopted, it is taken as it is: results that are not \
                    in it are forgotten, and workers on the other cache end
                    """)
        case .gone(let path):
            self = Self.cache(
                .unavailable, "cacheGone",
                "the cache \(path) was removed or replaced, or its disk is away, while it was open",
                hint: """
                    bring the folder back, or mount its disk; if it is another folder then, start the \
                    program that has it open again
                    """)
        case .unsafe(let path, let reason):
            self = Self.cache(
                .configuration, "cacheUnsafe", "\(path) cannot be the cache: \(reason)",
                hint: "give a folder of your own that others cannot write to, or an empty one")
        case .sharedFileSystem(let path, let kind):
            self = Self.cache(
                .configuration, "cacheOnNetwork",
                "\(path) is on a shared file system (\(kind)), whose locks cannot be trusted",
                hint: "put the cache on a local disk of this machine; outputs may go anywhere")
        case .notWritable(let path, let code):
            self = Self.cache(
                .notPermitted, "cacheNotPermitted",
                "cannot write to the cache \(path): \(Self.words(code))",
                hint: "check the folder's permissions, or choose another cache")
        case .diskFull(let path):
            self = Self.cache(
                .inputOutput, "diskFull", "no space left for the cache \(path)",
                hint: "free some space, or lower the cache's limits")
        case .locked(let path):
            self = Self.cache(
                .temporary, "cacheLocked", "another process does not let go of \(path)",
                hint: "'fuser -v' with that path names it; let it go on, or end it")
        case .file(let operation, let path, let code):
            let isForbidden = code == EACCES || code == EPERM || code == EROFS
            self = Self.cache(
                isForbidden ? .notPermitted : .inputOutput,
                isForbidden ? "cacheNotPermitted" : "cacheFailed",
                "cannot \(operation) \(path): \(Self.words(code))",
                hint: "check the disk and the folder's permissions")
        case .objects(let failure): self = failure
        case .ambiguous(let name):
            self = Self.cache(
                .usage, "ambiguous", "several cache entries begin with '\(name)'",
                hint: "give more of it")
        }
    }

    /// What to do first where a cache is not the database's.
    private static func way(back lastPath: String?, _ path: String) -> String {
        if let lastPath, lastPath != path, lastPath.hasPrefix("s3://") {
            return "set TAKEUP_OBJECTS=\(lastPath), or "
        }
        return path.hasPrefix("/") ? "mount its disk, or " : ""
    }

    private static func words(
        _ doubt: FolderDoubt, _ path: String, _ lastPath: String?
    ) -> String {
        let place = lastPath.flatMap { $0 == path ? nil : ", last seen at \($0)" } ?? ""
        return switch doubt {
        case .absent:
            "the cache \(path) is not there, but the database already has a cache\(place)"
        case .empty: "the cache \(path) is empty, but the database already has a cache\(place)"
        case .another: "the results of the database are in another cache than \(path)\(place)"
        case .ownerless: "the cache \(path) holds results and does not say of which database"
        case .emptied:
            "the cache \(path) has lost its results"
                + (path.hasPrefix("/") ? ": is a disk below it not mounted?" : "")
        }
    }

    private static func words(_ code: Int32) -> String { String(cString: strerror(code)) }

    private static func cache(
        _ exitCode: ExitCode, _ code: String, _ message: String, hint: String
    ) -> Failure {
        Failure(exitCode: exitCode, code: code, stage: "request", message: message, hint: hint)
    }
}

extension CacheError: CustomStringConvertible {
    public var description: String { Failure(self).message }
}
