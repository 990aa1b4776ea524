import Foundation

extension StatePlaces {
    /// Makes the home folder, for this user alone, when it is not there.
    ///
    /// - Throws: With 77 or 69 when it cannot be made.
    func makeHome() throws(Failure) {
        do {
            try FileManager.default.createDirectory(
                atPath: home, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            let isForbidden = (error as? CocoaError)?.code == .fileWriteNoPermission
            throw Failure(
                exitCode: isForbidden ? .notPermitted : .unavailable, code: "homeNotMade",
                stage: "request", message: "cannot make the home folder \(home)",
                hint: "check --home, TAKEUP_HOME and the folder's permissions")
        }
    }
}
