internal import Foundation
package import TakeupModel
internal import TakeupWatch

extension Failure {
    /// A path that no watched folder is known to hold.
    ///
    /// - Parameters:
    ///   - path: Absolute.
    ///   - folders: That are or were watched.
    ///   - advice: What else to do than to name a file of these.
    /// - Returns: With 66 when it is not there either, 64 else.
    package static func notWatched(
        _ path: String, _ folders: [String], advice: String = ""
    ) -> Failure {
        let known =
            folders.isEmpty
            ? "no folder was watched yet" : "watched: \(folders.joined(separator: ", "))"
        return about(path, "lies in no watched folder", hint: known + advice)
    }

    /// A path of a watched folder under which no file has settled yet.
    package static func unknown(_ path: String) -> Failure {
        var failure = about(
            path, "cannot be processed again: Takeup has not processed it yet",
            hint: "the explanation of this path says why")
        failure.code = notReprocessed
        return failure
    }

    /// A path of a watched folder whose file has gone since something became of it.
    package static func gone(_ path: String) -> Failure {
        var failure = watch(
            .inputMissing, "\(path) does not exist any more: Takeup cannot process it again",
            hint: "the explanation of this path says where the file went")
        failure.code = notReprocessed
        return failure
    }

    private static var notReprocessed: String { "notReprocessed" }

    private static func about(_ path: String, _ words: String, hint: String) -> Failure {
        var facts = stat()
        // A link is there, wherever it leads.
        if lstat(path, &facts) == 0 { return .watch(.usage, "\(path) \(words)", hint: hint) }
        return .watch(
            .inputMissing, "\(path) \(words), and there is nothing of that name",
            hint: "check the path")
    }
}
