internal import TakeupIntake
internal import TakeupJobs
internal import TakeupModel
internal import TakeupTimeline

extension JobSpec {
    /// The job as the API takes it.
    ///
    /// - Throws: With 64 for what no request can say: a preset that is not the server's by its name.
    func request() throws(Failure) -> JSONValue {
        let settings = request.settings
        var members: [JSONValue.Member] = []
        func add(_ key: String, _ value: JSONValue, unless isStandard: Bool = false) {
            if !isStandard { members.append(.init(key: key, value: value)) }
        }
        add("id", .text(id.rawValue), unless: hasAutomaticID)
        let sources = request.sources.map(JSONValue.text)
        if request.composition.needsTimeline {
            add("source", request.composition.timelineJSON)
        } else {
            add("source", sources.count == 1 ? sources[0] : .list(sources))
        }
        add("preset", .text(try presetName()))
        if !request.preset.changes.isEmpty {
            add(
                "set",
                .object(
                    request.preset.changes.map { .init(key: $0.key, value: .text($0.value)) }))
        }
        if let range = settings.timeRange {
            add("start", .text(range.start.fraction))
            if let duration = range.duration { add("duration", .text(duration.fraction)) }
        }
        if let output = request.output { add("output", .text(output)) }
        let standard = ExportSettings()
        add(
            "overwrite", .text(settings.overwrite.rawValue),
            unless: settings.overwrite == standard.overwrite)
        add(
            "onTruncated", .text(settings.onTruncated.rawValue),
            unless: settings.onTruncated == standard.onTruncated)
        add(
            "verify", .text(settings.verification.rawValue),
            unless: settings.verification == standard.verification)
        add("copy", .text(settings.copy.rawValue), unless: settings.copy == standard.copy)
        add("metadata", .words(settings.metadata), unless: settings.metadata.isEmpty)
        add("stripMetadata", .flag(true), unless: !settings.stripsMetadata)
        if let limit = settings.fileLengthLimit { add("sizeLimit", .integer(limit)) }
        if let seconds = expiresSeconds { add("expires", .number(seconds)) }
        add("priority", .whole(priority), unless: priority == 0)
        add("retries", .whole(retries), unless: retries == 3)
        if let time = notBefore { add("notBefore", .timestamp(time)) }
        if let seconds = timeoutSeconds { add("timeout", .number(seconds)) }
        add("onReplaced", .text(onReplaced.rawValue), unless: onReplaced == .fail)
        if let queue { add("queue", .text(queue)) }
        add("tags", .list(tags.map(JSONValue.text)), unless: tags.isEmpty)
        if let key { add("key", .text(key)) }
        return .object(members)
    }

    /// The name by which the server has the same preset.
    private func presetName() throws(Failure) -> String {
        let preset = request.preset
        let shipped = try? ExportPreset.named(preset.name).setting(preset.changes)
            .writing(to: request.output ?? "")
        guard shipped == preset else {
            throw Self.unsayable("has a preset of this machine, '\(preset.name)'")
        }
        return preset.name
    }

    private static func unsayable(_ what: String) -> Failure {
        Failure(
            exitCode: .usage, code: "notForServers", stage: "request",
            message: "the job \(what), which a server cannot be told",
            hint: "name one of the shipped presets, and change its fields for this job")
    }
}

extension MediaTime {
    /// Exact, such as `1001/30000`.
    fileprivate var fraction: String { timescale == 1 ? "\(value)" : "\(value)/\(timescale)" }
}
