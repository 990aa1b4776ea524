internal import Foundation
internal import TakeupCache
internal import TakeupFiles
public import TakeupModel

extension StatePlaces {
    /// Makes the home folder, for this user alone, when it is not there.
    ///
    /// - Throws: With 77 or 69 when it cannot be made, with 77 when it is another user's.
    public func makeHome() throws(Failure) {
        try createHome()
        if let failure = Self.foreignHome(home, user: geteuid()) { throw failure }
    }

    /// Looks whether a cache can be made, before a database is made for it; one that is there knows its cache.
    ///
    /// - Throws: As the cache itself: with 74 or 77, or 78 for a cache whose database is away.
    public func requireCache() throws(Failure) {
        guard !hasDatabaseFile else { return }
        try requireDatabaseOfCache()
        do throws(FileError) {
            try WritableFolder.require(cache)
        } catch {
            switch error {
            case .notPermitted(_, let code):
                throw Failure(CacheError.notWritable(path: cache, errno: code))
            case .notCreated(_, let code), .failed(_, let code):
                throw Failure(
                    CacheError.file(operation: "write to", path: cache, errno: code))
            // Jobs wait for room.
            case .diskFull, .exists: return
            }
        }
    }

    /// Refuses to begin an empty database beside a cache that belongs to one: that one may only be away.
    ///
    /// - Throws: With 78.
    func requireDatabaseOfCache() throws(Failure) {
        guard database.path != nil, !hasDatabaseFile, !adoptsCache,
            let folder = objectsFolder, let owner = LocalObjects.owner(of: folder)
        else { return }
        throw Failure(CacheError.foreign(path: folder, owner: owner))
    }

    /// Refuses a folder in which another user may put anything in our way; the system's own is nobody's.
    package static func foreignHome(_ home: String, user: UInt32) -> Failure? {
        var facts = stat()
        guard stat(home, &facts) == 0, facts.st_uid != user, facts.st_uid != 0 else { return nil }
        return Failure(
            exitCode: .notPermitted, code: "homeForeign", stage: "request",
            message: "the home folder \(home) belongs to another user (\(facts.st_uid))",
            hint: "run this as that user, or choose a home folder of your own")
    }

    private func createHome() throws(Failure) {
        do {
            try FileManager.default.createDirectory(
                atPath: home, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            let isForbidden = (error as? CocoaError)?.code == .fileWriteNoPermission
            throw Failure(
                exitCode: isForbidden ? .notPermitted : .unavailable, code: "homeNotMade",
                stage: "request", message: "cannot make the home folder \(home)",
                hint: "check the folder's path (TAKEUP_HOME) and its permissions")
        }
    }
}
