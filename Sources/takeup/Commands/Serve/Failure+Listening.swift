import Foundation
import TakeupHTTP
import TakeupModel

extension Failure {
    /// For an address on which the server cannot listen.
    init(_ error: HTTPServerError, at address: ListenAddress) {
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
        case EADDRNOTAVAIL, ENOENT, ENOTDIR, ENAMETOOLONG:
            self.init(
                exitCode: .configuration, code: "listenNotPossible", stage: "request",
                message: message,
                hint: "--listen takes an address of this machine, or a path in a folder that exists"
            )
        case EMFILE, ENFILE: self = .tooFewFiles(nil)
        default:
            self.init(
                exitCode: .unavailable, code: "listenFailed", stage: "request", message: message,
                hint: "--listen names another place")
        }
    }

    /// For an address that others reach, with nothing that keeps them out.
    static func tokensMissing(at address: ListenAddress) -> Failure {
        Failure(
            exitCode: .configuration, code: "tokensMissing", stage: "request",
            message: "\(address.url) can be reached from other machines, and there are no tokens",
            hint: "--token-file FILE names them; or listen on 127.0.0.1 or a Unix socket")
    }

    /// For a limit of open files with which nothing can be served; nil where it is not known.
    static func tooFewFiles(_ limit: UInt64?) -> Failure {
        Failure(
            exitCode: .configuration, code: "tooFewFiles", stage: "request",
            message: "a server needs more open files than the limit"
                + (limit.map { " of \($0)" } ?? "") + " permits",
            hint: "raise the limit, such as with 'ulimit -n 4096' or LimitNOFILE= of the unit")
    }
}
