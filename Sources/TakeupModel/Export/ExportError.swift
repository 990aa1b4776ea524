/// Why an export did not end with a complete file.
public enum ExportError: Error, Equatable, Sendable, Codable {
    /// The source does not exist.
    case inputMissing(String)
    /// The source exists but cannot be read: a folder, a device, no permission, an I/O error.
    case inputUnreadable(String, reason: String)
    case inputNotPermitted(String)
    /// Not media, or no container that Takeup reads.
    case notMedia(String, reason: String)
    /// Media, but none of it can be exported as asked.
    case unsupported(String, reason: String)
    case contentIsProtected(String, reason: String)
    /// The source is short or damaged, and salvage was not asked for.
    case sourceIncomplete(String, LossReport)
    /// The request itself does not make sense.
    case invalidRequest(reason: String, hint: String)
    case outputExists(String)
    case outputNotCreated(String, reason: String)
    case outputNotPermitted(String)
    case diskFull(String)
    case outputFailed(String, reason: String)
    /// The output exceeds its limit. The smallest export that was made takes `smallest` bytes.
    case sizeLimitUnreachable(limit: Int64, smallest: Int64)
    /// The output would exceed its limit: it takes more than `least` bytes. Nothing was made.
    case sizeLimitTooLow(limit: Int64, least: Int64)
    /// The finished file is not what the plan promised; it was not published.
    case verificationFailed(String, reason: String)
    case media(MediaFailure, stage: ExportStage)
    /// The process that works on media failed, or could not be started.
    case process(Failure)
    case cancelled
}

extension ExportError {
    static let folderReason = "it is a folder"

    /// A folder where a file was expected.
    public static func folder(_ name: String) -> ExportError {
        .notMedia(name, reason: folderReason)
    }
}
