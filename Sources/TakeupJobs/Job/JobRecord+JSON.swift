package import TakeupModel
internal import TakeupTimeline

extension JobRecord {
    /// What `jobs list` tells of a job.
    package var json: JSONValue {
        .object(members(ownFault?.json))
    }

    /// What `jobs show` tells of it besides.
    ///
    /// - Parameters:
    ///   - timeline: What is exported; null for whole sources joined in order.
    ///   - why: Why it is in its state.
    /// - Returns: An object.
    package func detailedJSON(timeline: JSONValue, why: String) -> JSONValue {
        .object(members(ownFault?.detailedJSON) + details(timeline, why))
    }

    /// A job that was cancelled did not end because of what an earlier attempt failed with.
    private var ownFault: Failure? { state == .cancelled ? nil : fault }

    /// What a worker said last stays in the queue; it is true only while one runs the job.
    private var currentProgress: JobProgress? { state == .running ? progress : nil }

    private func members(_ fault: JSONValue?) -> [JSONValue.Member] {
        [
            .init(key: "id", value: .text(id.rawValue)),
            .init(key: "state", value: .text(state.rawValue)),
            .init(key: "source", value: spec.sourceJSON),
            .init(key: "preset", value: .text(spec.request.preset.name)),
            .init(key: "priority", value: .integer(Int64(spec.priority))),
            .init(key: "queue", value: .text(optional: spec.queue)),
            .init(key: "tags", value: .list(spec.tags.map(JSONValue.text))),
            .init(key: "key", value: .text(optional: spec.key)),
            .init(key: "output", value: .text(optional: result?.output ?? spec.request.output)),
            .init(key: "progress", value: currentProgress?.json ?? .null),
            .init(key: "error", value: fault ?? .null),
            .init(key: "note", value: .text(optional: note)),
            .init(key: "createdAt", value: .timestamp(createdAt)),
            .init(key: "runAt", value: .timestamp(runAt)),
            .init(key: "startedAt", value: .timestamp(startedAt)),
            .init(key: "finishedAt", value: .timestamp(finishedAt)),
            .init(key: "cursor", value: .text("\(cursor)")),
        ]
    }

    private func details(_ timeline: JSONValue, _ why: String) -> [JSONValue.Member] {
        [
            .init(key: "why", value: .text(why)),
            .init(key: "failures", value: .whole(machine.failures)),
            .init(key: "crashes", value: .whole(machine.crashes)),
            .init(key: "interruptions", value: .whole(machine.interruptions)),
            .init(key: "cancelRequested", value: .flag(machine.isCancelRequested)),
            .init(key: "worker", value: .text(optional: owner?.rawValue)),
            .init(key: "leaseUntil", value: .timestamp(leaseUntil)),
            .init(key: "workKey", value: .text(optional: workKey)),
            .init(key: "result", value: result?.json ?? .null),
            .init(key: "spec", value: spec.json(timeline)),
        ]
    }
}

extension JobSpec {
    /// A text, or a list when several are joined; addresses without their secrets.
    package var sourceJSON: JSONValue {
        let media = request.composition.mediaSources.map(SourceText.shown)
        return media.count == 1 ? .text(media[0]) : .list(media.map(JSONValue.text))
    }

    fileprivate func json(_ timeline: JSONValue) -> JSONValue {
        let settings = request.settings
        return [
            "sources": .list(shownSources.map(JSONValue.text)), "timeline": timeline,
            "preset": .text(request.preset.name),
            "set": .list(request.preset.changes.map { .text("\($0)") }),
            "start": .time(settings.timeRange?.start),
            "duration": .time(settings.timeRange?.duration),
            "output": .text(optional: request.output),
            "overwrite": .text(settings.overwrite.rawValue),
            "onTruncated": .text(settings.onTruncated.rawValue),
            "verify": .text(settings.verification.rawValue),
            "copy": .text(settings.copy.rawValue), "metadata": .words(settings.metadata),
            "stripMetadata": .flag(settings.stripsMetadata),
            "sizeLimit": settings.fileLengthLimit.map(JSONValue.integer) ?? .null,
            "expires": .measured(expiresSeconds), "priority": .whole(priority),
            "retries": .whole(retries), "notBefore": .timestamp(notBefore),
            "timeout": .measured(timeoutSeconds),
            "onReplaced": .text(onReplaced.rawValue), "queue": .text(optional: queue),
            "tags": .list(tags.map(JSONValue.text)), "key": .text(optional: key),
        ]
    }
}

extension JobProgress {
    fileprivate var json: JSONValue {
        [
            "phase": .text(phase), "fraction": .measured(fraction), "speed": .measured(speed),
            "eta": .measured(etaSeconds),
        ]
    }
}

extension JobResult {
    fileprivate var json: JSONValue {
        [
            "output": .text(output), "bytes": .integer(bytes), "sha256": .text(sha256),
            "duration": .measured(duration), "frames": .whole(frames),
            "seconds": .measured(seconds),
            "warnings": .list(warnings.map(\.json)),
        ]
    }
}

extension JobResult.Warning {
    package var json: JSONValue { ["code": .text(code), "message": .text(message)] }
}
