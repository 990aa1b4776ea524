public import Foundation
public import TakeupModel
public import TakeupFetch

extension Failure {
    private static let fetchStage = "fetch"

    /// Says in words why a source could not be fetched; total over its cases.
    ///
    /// - Parameters:
    ///   - error: What went wrong; its addresses show no secrets.
    ///   - signal: What stopped a cancelled fetch, which then ends with the signal's exit code.
    public init(_ error: FetchError, signal: Int32? = nil) {
        switch error {
        case .status(let status, let address): self = Self.status(status, address)
        case .invalidResponse(let reason, let address):
            self = Self.fetch(
                Ending(.temporary, .retry), "sourceInvalid",
                "the answer for \(address) is wrong: \(reason)",
                hint: "the server or a proxy before it is at fault; another try may succeed")
        case .changed(let address):
            self = Self.fetch(
                Ending(.temporary, .retry), Failure.changedCode,
                "\(address) changed while it was fetched, and what had come was dropped",
                hint: "wait until it is complete; another try begins with the new one")
        case .notMedia(let reason, let address):
            self = Self.fetch(
                Ending(.notMedia, .giveUp), "notMedia",
                "what came from \(address) is no media: \(reason)",
                hint: "check the address; a page instead of a file often asks for a login")
        case .unsupported(let reason, let address):
            self = Self.fetch(
                Ending(.notMedia, .giveUp), "unsupported",
                "\(address) cannot be fetched: \(reason)",
                hint: "give the address of a file, or of a playlist that has ended")
        case .expired(let address):
            self = Self.fetch(
                Ending(.notPermitted, .giveUp), "sourceExpired",
                "\(address) is not permitted any more: its signature or login has ended",
                hint: "get a new address and submit it again; Takeup keeps the fetched bytes")
        case .denied(let reason, let address):
            self = Self.fetch(
                Ending(.notPermitted, .giveUp), "addressDenied",
                "may not fetch \(address): \(reason)",
                hint: "only public addresses are fetched, and those of networks that are allowed; "
                    + "whoever runs the worker or the server can allow a network")
        case .tooLarge(let limit, let address):
            self = Self.fetch(
                Ending(.notMedia, .giveUp), "sourceTooLarge",
                "\(address) is larger than the limit of \(limit) bytes",
                hint: "fetch it by other means and give the file's path")
        case .unreachable(let reason, let address):
            self = Self.fetch(
                Ending(.temporary, .retry), "sourceUnreachable",
                "cannot fetch \(address): \(Self.once(reason, address))",
                hint:
                    "check the network, the address and the server's certificate; Takeup keeps what it has fetched"
            )
        case .checksumMismatch, .storage, .cancelled: self = Self.here(error, signal: signal)
        }
    }

    /// The reason without the address, which libcurl's errors begin with, too.
    private static func once(_ reason: String, _ address: String) -> String {
        let beginning = "transfer failed on \(address): "
        return reason.hasPrefix(beginning) ? String(reason.dropFirst(beginning.count)) : reason
    }

    private static func mismatch(
        _ stated: StatedDigest, _ found: String, _ address: String
    ) -> Failure {
        fetch(
            Ending(.verificationFailed, .retry), "checksumMismatch",
            "\(address) is not what its server says: \(stated) is \(stated.digits),"
                + " and what came has \(found)",
            hint: "it was dropped again; if another try ends the same way, the field is wrong,"
                + " and the SHA-256 that you know and give counts instead")
    }

    private static func status(_ status: Int, _ address: String) -> Failure {
        switch status {
        case 404, 410:
            fetch(
                Ending(.inputMissing, .giveUp), "inputMissing",
                "there is nothing at \(address): the server answered \(status)",
                hint: "check the address")
        case 401, 403, 407, 451:
            fetch(
                Ending(.notPermitted, .giveUp), "inputNotPermitted",
                "may not fetch \(address): the server answered \(status)",
                hint: "check its signature or ask its owner; it may have expired")
        case 408, 429, 500...:
            fetch(
                Ending(.temporary, .retry), "sourceStatus",
                "cannot fetch \(address): the server answered \(status)",
                hint: "the server has no time, or fails; another try may succeed")
        default:
            fetch(
                Ending(.failed, .giveUp), "sourceStatus",
                "cannot fetch \(address): the server answered \(status)",
                hint: "check the address, or ask the server's owner")
        }
    }

    /// What went wrong, or was found out, on this machine.
    private static func here(_ error: FetchError, signal: Int32?) -> Failure {
        if case .checksumMismatch(let stated, let found, let address) = error {
            return mismatch(stated, found, address)
        }
        guard case .storage(let path, let reason) = error else {
            return Failure(ExportError.cancelled, signal: signal)
        }
        if error.isDiskFull {
            return fetch(
                Ending(.inputOutput, .diskFull), "diskFull", "no space left for \(path)",
                hint: "free some space, or choose another cache; Takeup keeps the fetched bytes")
        }
        if error.isOutOfFiles {
            return fetch(
                Ending(.temporary, .retry), "tooManyFiles",
                "too many files are open to fetch \(path)",
                hint: "try again; raise the limit of open files where this goes on")
        }
        if error.isStoreGone {
            return fetch(
                Ending(.unavailable, .retry), "cacheGone",
                "the source store \(path) was removed or replaced, or its disk is away, while it was open",
                hint: "bring the folder back, or start the program that has it open again")
        }
        return fetch(
            Ending(.inputOutput, .retry), "sourceStoreFailed",
            "the source store failed on \(path): \(String(cString: strerror(reason)))",
            hint: "check the disk, and that the cache folder belongs to you")
    }

    private static func fetch(
        _ ending: Ending, _ code: String, _ message: String, hint: String
    ) -> Failure {
        Failure(
            code: code, stage: fetchStage, message: message, hint: hint, ending: ending)
    }
}

extension FetchError: LocalizedError {
    public var errorDescription: String? { Failure(self).message }
}
