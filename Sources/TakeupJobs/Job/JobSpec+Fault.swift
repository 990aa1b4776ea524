internal import TakeupFiles
public import TakeupModel

extension JobSpec {
    /// As many as one export joins.
    public static let mostSources = 10_000
    public static let mostMetadata = 100
    /// The longest value, in bytes.
    public static let longestMetadata = 10_000
    public static let priorities = -1000...1000
    public static let retryCounts = 0...100
    /// The longest path that a system call takes, in bytes.
    public static let longestPath = 4095

    /// Why no queue takes the job, whichever door it comes through; nil when one does.
    ///
    /// What a preset's content and an address say is not looked at.
    public var fault: Failure? {
        if !id.isUsable { return .unusable("the id '\(id.rawValue.prefix(100))'", JobID.rule) }
        if let fault = placeFault { return fault }
        if request.settings.posterPath != nil {
            return .unusable("a poster", "export the picture apart, without the queue")
        }
        return numberFault ?? metadataFault ?? nameFault
    }

    private var placeFault: Failure? {
        let sources = request.sources
        guard (1...Self.mostSources).contains(sources.count) else {
            return .unusable("\(sources.count) sources", "give 1 to \(Self.mostSources)")
        }
        if let fault = request.composition.fault {
            return .unusable(
                "its composition: \(fault)",
                "join sources, parts of them and empty time, or take pictures from one and sound "
                    + "from another")
        }
        for source in sources where !SourceText.isAddress(source) && !Self.isPath(source) {
            return .unusable(
                "a source that is neither an address nor a path from the root",
                "give http, https or s3 addresses, or whole paths of at most \(Self.longestPath) bytes"
            )
        }
        guard let output = request.output else { return nil }
        let name = output.lowercased()
        let isPlace =
            Self.isPath(output)
            || SourceText.isObject(output) && output.utf8.count <= Self.longestPath
        guard isPlace, [".mp4", ".m4v", ".m4a"].contains(where: name.hasSuffix) else {
            return .unusable(
                "the output '\(output.prefix(500))'",
                "give a whole path or an s3 address that ends in .mp4, .m4v or .m4a")
        }
        return nil
    }

    private static func isPath(_ text: String) -> Bool {
        Folder.isAbsolute(text) && text.utf8.count <= longestPath && !text.utf8.contains(0)
    }

    private var numberFault: Failure? {
        if !Self.priorities.contains(priority) {
            return .unusable("the priority \(priority)", "it may be -1000 to 1000")
        }
        if !Self.retryCounts.contains(retries) {
            return .unusable("\(retries) retries", "there may be 0 to 100")
        }
        if let sizeLimit = request.settings.fileLengthLimit, sizeLimit <= 0 {
            return .unusable("a size limit of \(sizeLimit) bytes", "it has to be more than 0")
        }
        if let seconds = expiresSeconds, !(seconds > 0) {
            return .unusable("an expiry after \(seconds) seconds", "it has to be more than 0")
        }
        if let seconds = timeoutSeconds, !(seconds > 0) {
            return .unusable("a timeout after \(seconds) seconds", "it has to be more than 0")
        }
        if let time = notBefore, !time.isFinite {
            return .unusable("the time \(time)", "it is a number of seconds since 1970")
        }
        return nil
    }

    /// As many as a worker has.
    public static let mostTags = 16

    private var nameFault: Failure? {
        let rule = "use 1 to 64 letters, digits, '.', '_' and '-'"
        let asked = tags.map { ("tag", Optional($0)) }
        for (word, name) in [("queue", queue), ("key", key)] + asked {
            guard let name, !Self.isName(name) else { continue }
            return .unusable("the \(word) '\(name.prefix(100))'", rule)
        }
        return tags.count <= Self.mostTags
            ? nil : .unusable("\(tags.count) tags", "give \(Self.mostTags) at most")
    }

    private var metadataFault: Failure? {
        let metadata = request.settings.metadata
        guard metadata.count <= Self.mostMetadata else {
            return .unusable("\(metadata.count) metadata", "give \(Self.mostMetadata) at most")
        }
        let isWhole = metadata.allSatisfy { key, value in
            (1...JobID.longest).contains(key.utf8.count) && !key.utf8.contains(0)
                && value.utf8.count <= Self.longestMetadata && !value.utf8.contains(0)
        }
        return isWhole
            ? nil
            : .unusable(
                "its metadata", "no name or text may be empty, too long or hold a zero byte")
    }
}

extension Failure {
    /// For what a job says and no job may.
    static func unusable(_ subject: String, _ hint: String) -> Failure {
        Failure(
            exitCode: .usage, code: "invalidJob", stage: "request",
            message: "no job can be accepted with \(subject)", hint: hint)
    }

    /// For an id that a different job has, which waits or runs.
    public static func conflict(_ id: JobID) -> Failure {
        Failure(
            exitCode: .usage, code: "idConflict", stage: "request",
            message: "a different job with the id '\(id)' waits or runs",
            hint: "give this one another id, or wait for that one to end")
    }
}
