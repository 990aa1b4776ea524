internal import Foundation
internal import TakeupFiles
internal import TakeupIntake
internal import TakeupJobs
internal import TakeupLanes
internal import TakeupModel

extension UploadStore {
    /// Says that a job uses what it names.
    func touch(_ spec: JobSpec) {
        for source in spec.request.sources {
            guard let rest = Folder.path(from: realFolder, to: source),
                let id = rest.split(separator: "/").first, UploadName.isID(id)
            else { continue }
            utimes("\(path(of: String(id)))/\(Self.factsName)", nil)
        }
    }

    /// Removes an upload, whole or not, that no job needs.
    ///
    /// - Parameters:
    ///   - id: The upload.
    ///   - isUsed: Whether a job that has not ended needs what is below a folder.
    /// - Throws: With 409 where a job needs it; where some of it is left.
    func remove(
        _ id: String, isUsed: (String) throws(Refusal) -> Bool
    ) throws(Refusal) {
        try claims.alone { () throws(Refusal) in
            // Jobs name it without links.
            guard !(try isUsed("\(realFolder)/\(id)")) else { throw .uploadInUse }
            try session(of: id).abandon { () throws(Refusal) in try discard(id) }
            end(id)
        }
    }

    /// Removes an upload whose client was told that there is none; opens no file for that, since there may be none to open.
    ///
    /// - Parameters:
    ///   - id: The upload.
    ///   - name: Its file's name, once all bytes have come.
    func removeRefused(_ id: String, _ name: String) {
        session(of: id).abandon {
            // The facts go last: what is left without them would be found by nobody.
            for name in [Self.partialName, name, Self.factsName] {
                unlink("\(path(of: id))/\(name)")
            }
            // What is left, such as a hidden file, goes with what has expired.
            rmdir(path(of: id))
        }
        end(id)
    }

    private func discard(_ id: String) throws(Refusal) {
        let folder = path(of: id)
        let names = try Refusal.reading { () throws(FileError) in try Folder.names(in: folder) }
        guard let names else { return }
        // The facts go last: what is left without them would be found by nobody.
        for name in names.filter({ $0 != Self.factsName }) + [Self.factsName] {
            guard unlink("\(folder)/\(name)") == 0 || errno == ENOENT else {
                throw Refusal(.failed("\(folder)/\(name)", errno: errno))
            }
        }
        guard rmdir(folder) == 0 || errno == ENOENT else {
            throw Refusal(.failed(folder, errno: errno))
        }
    }

    /// Completes what a crash kept from it, and removes what has expired, and folders without facts that a crash has left.
    ///
    /// What cannot be read now stays.
    ///
    /// - Parameter isUsed: Whether a job that has not ended needs what is below a folder.
    func expire(isUsed: (String) -> Bool) {
        let now = wallClock()
        for id in (try? ids()) ?? [] { try? keepUp(id, now, isUsed) }
    }

    private func keepUp(
        _ id: String, _ now: Double, _ isUsed: (String) -> Bool
    ) throws(Refusal) {
        if let stored = try settled(id) {
            guard stored.expiresAt <= now, !session(of: id).isOpen else { return }
        } else {
            var facts = stat()
            guard lstat(path(of: id), &facts) == 0,
                now - Double(facts.st_mtim.tv_sec) > Self.partialSeconds
            else { return }
        }
        try remove(id, isUsed: isUsed)
    }
}
