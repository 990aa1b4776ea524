internal import Foundation
public import TakeupModel

extension Failure {
    /// Says what an object store could not do; total over its kinds.
    public init(_ error: S3Error) {
        let tried = "cannot \(error.operation.words) \(error.address) on \(error.server)"
        let code = error.code.isEmpty ? "" : " (\(error.code))"
        let (ending, name, why, hint) = Self.meaning(of: error)
        self.init(
            code: name, stage: "request", message: "\(tried): \(why)\(code)", hint: hint,
            ending: ending)
    }

    private static func meaning(
        of error: S3Error
    ) -> (ending: Ending, code: String, why: String, hint: String) {
        switch error.kind {
        case .unreachable(let reason):
            (
                Ending(.unavailable, .retry), "objectsUnreachable", reason,
                "check the network, AWS_ENDPOINT_URL, and that the server runs"
            )
        case .tls:
            (
                Ending(.unavailable, .giveUp), "objectsUnreachable", "no trusted connection",
                "check the server's certificate; AWS_CA_BUNDLE names one's own authority"
            )
        case .throttled:
            (
                Ending(.temporary, .retry), "objectsBusy", "the server asks for fewer requests",
                "try again later, or with fewer workers"
            )
        case .serverFailed:
            (
                Ending(.temporary, .retry), "objectsBusy",
                "the server failed\(error.status == 0 ? "" : " with status \(error.status)")",
                "try again later; the server's own log says more"
            )
        case .noObject where error.operation.isUpload:
            (
                Ending(.temporary, .retry), "uploadEnded", "somebody ended the upload",
                "try again: the upload begins again from its first byte"
            )
        case .noObject:
            (
                .inputMissing, "objectMissing", "there is no such object",
                "check the key; its case counts"
            )
        case .noBucket:
            (
                .configuration, "bucketMissing", "there is no such bucket",
                "make the bucket, or check its name and the endpoint"
            )
        case .denied, .credentialsRefused, .credentialsExpired: rights(error)
        case .clockSkewed:
            (
                .configuration, "clockSkewed",
                "the clocks of this machine and the server differ too much",
                "set this machine's clock by NTP"
            )
        case .wrongRegion:
            (
                .configuration, "wrongRegion", "the bucket is in another region, or elsewhere",
                "set AWS_REGION to the bucket's region, and AWS_ENDPOINT_URL to its server"
            )
        case .full:
            (
                Ending(.inputOutput, .retry), "bucketFull",
                "the bucket or the server's disk is full",
                "remove objects, or raise the quota"
            )
        case .conditionFailed:
            (
                .outputNotCreated, "objectExists", "an object has the key, or it changed",
                "choose another key, or replace it on purpose"
            )
        case .invalidAnswer(let reason):
            (
                Ending(.unavailable, .retry), "objectsUnreachable", reason,
                "check AWS_ENDPOINT_URL, and what is between this machine and the server"
            )
        case .damaged(let reason):
            (
                Ending(.inputOutput, .retry), "objectsFailed", reason,
                "try again; if that stays, check the server and what is between"
            )
        case .file(let code):
            (
                Ending(.inputOutput, .retry), "objectsFailed",
                String(cString: strerror(code)), "check the disk of this machine"
            )
        case .cancelled:
            (
                Ending(.interrupted, .cancelled), "cancelled", "it was stopped",
                "the same command begins again"
            )
        case .refused:
            (
                .failed, "objectsFailed", "the server refuses it with status \(error.status)",
                "the server's own log says more"
            )
        }
    }

    private static func rights(
        _ error: S3Error
    ) -> (ending: Ending, code: String, why: String, hint: String) {
        switch error.kind {
        case .credentialsExpired:
            (
                .notPermitted, "credentialsExpired", "the session token has expired",
                "get new credentials, and give them as before"
            )
        case .credentialsRefused:
            (
                .notPermitted, "credentialsRefused",
                "the keys are not accepted",
                "check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN or the profile, and the region"
            )
        default:
            (
                .notPermitted, "objectsNotPermitted", "the credentials do not permit it",
                "permit listing, reading, writing and deleting in this bucket and prefix"
            )
        }
    }
}

extension S3Error: CustomStringConvertible {
    public var description: String { Failure(self).message }
}

extension S3Error.Operation {
    /// A part of a longer upload, which has an end of its own.
    var isUpload: Bool { self == .writePart || self == .completeUpload }

    fileprivate var words: String {
        switch self {
        case .list: "list"
        case .look: "look at"
        case .read: "read"
        case .write: "write"
        case .delete: "delete"
        case .copy: "copy"
        case .beginUpload: "begin the upload of"
        case .writePart: "upload a part of"
        case .completeUpload: "complete the upload of"
        case .abortUpload: "abort an upload of"
        case .listUploads: "list unfinished uploads of"
        }
    }
}
