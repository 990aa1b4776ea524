import Foundation
import TakeupHTTP
import TakeupModel

/// The socket that the service manager has opened and listens on, and hands to this process.
///
/// - Note: Source: `sd_listen_fds(3)`.
enum ActivationSocket {
    private static let first: Int32 = 3

    /// Takes the socket, and keeps it from the children of this process.
    ///
    /// - Returns: nil where none was handed over.
    /// - Throws: With 78 for several.
    static func take(
        _ environment: [String: String], process: Int32 = getpid()
    ) throws(Failure) -> HTTPServer.Address? {
        guard environment["LISTEN_PID"].flatMap(Int32.init) == process,
            let count = environment["LISTEN_FDS"].flatMap(Int32.init), count > 0
        else { return nil }
        guard count == 1 else {
            throw Failure(
                exitCode: .configuration, code: "socketNotUsable", stage: "request",
                message: "the service manager has handed over \(count) sockets",
                hint: "give the socket unit one ListenStream= and Accept=no")
        }
        _ = fcntl(first, F_SETFD, FD_CLOEXEC)
        return .descriptor(first)
    }
}
