import Foundation
import TakeupHTTP
import TakeupModel

extension Failure {
    /// For an address on which the server cannot listen.
    init(_ error: HTTPServerError) {
        let reason = String(cString: strerror(error.errno))
        let message = "cannot \(error.operation): \(reason)"
        switch error.errno {
        case EADDRINUSE:
            self.init(
                exitCode: .unavailable, code: "addressInUse", stage: "request", message: message,
                hint: "another program listens there; --listen names another place")
        case EACCES, EPERM:
            self.init(
                exitCode: .notPermitted, code: "listenNotPermitted", stage: "request",
                message: message,
                hint: "take a port from 1024 up, or a folder that this user may write to")
        case EADDRNOTAVAIL, EINVAL, ENOENT, ENOTDIR, ENAMETOOLONG, ENOTSOCK:
            self.init(
                exitCode: .configuration, code: "listenNotPossible", stage: "request",
                message: message,
                hint: "--listen takes an address of this machine, or a path in a folder that exists"
            )
        case EMFILE, ENFILE: self = .tooFewFiles(message)
        default:
            self.init(
                exitCode: .unavailable, code: "listenFailed", stage: "request", message: message,
                hint: "--listen names another place")
        }
    }

    /// For a limit of open files with which nothing can be served.
    static func tooFewFiles(_ message: String) -> Failure {
        Failure(
            exitCode: .configuration, code: "tooFewFiles", stage: "request", message: message,
            hint: "raise the limit of open files, such as with 'ulimit -n 4096' or LimitNOFILE=")
    }
}
