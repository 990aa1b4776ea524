import TakeupIntake
import TakeupJobs
import TakeupModel
import TakeupTimeline

/// A job in words: what it is, where it stands, and why it does not go on.
struct JobExplanation {
    private let record: JobRecord

    init(_ record: JobRecord) {
        self.record = record
    }

    /// Why the job is in its state, in one sentence; without `now`, points in time are absolute.
    func reason(now: Double?) -> String {
        switch record.state {
        case .queued: return record.note ?? "waits for a worker to take it"
        case .scheduled: return scheduled(now)
        case .running:
            if let now, let until = record.leaseUntil, until < now {
                return "its worker gives no sign of life; the next worker takes it over"
            }
            return record.machine.isCancelRequested
                ? "its worker was asked to stop" : "a worker is busy with it"
        case .succeeded: return "done"
        case .cached: return "the same work had been done before"
        case .failed:
            let count = record.machine.failures
            return count > 1 ? "failed in each of \(count) attempts" : "failed in its only attempt"
        case .cancelled: return "cancelled by request"
        case .quarantined:
            return "crashed its helper \(record.machine.crashes) times;"
                + " 'takeup jobs retry' tries it again"
        }
    }

    private func scheduled(_ now: Double?) -> String {
        let time =
            now.map { Timestamp.relative(record.runAt, now: $0) }
            ?? Timestamp.iso(record.runAt) ?? "later"
        if record.machine.attempt == 1, record.spec.notBefore == record.runAt {
            return "is not to start before \(time)"
        }
        let cause = record.note ?? (record.fault == nil ? nil : "the last attempt failed")
        return "starts again \(time)" + (cause.map { ": \($0)" } ?? "")
    }

    /// Everything about it as a table for people.
    func lines(now: Double) -> [String] {
        let rows = [["id", record.id.rawValue], ["state", stateText], ["why", reason(now: now)]]
        return TextTable.lines(
            (rows + attempts + times(now) + faultRows + resultRows + specRows).map {
                [$0[0], $0[1].escaped]
            })
    }

    private var stateText: String {
        guard record.state == .running, let progress = record.progress else {
            return record.state.rawValue
        }
        let percent = Decimals.fixed(progress.fraction * 100, places: 0)
        let eta = progress.etaSeconds.map { ", \(ClockText.coarse($0)) left" } ?? ""
        return "running: \(progress.phase) \(percent) %\(eta)"
    }

    private var attempts: [[String]] {
        let machine = record.machine
        let parts = [
            (machine.failures, "failed"), (machine.crashes, "crashed"),
            (machine.interruptions, "interrupted"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        let worker = record.owner.map { [["worker", $0.rawValue]] } ?? []
        let counts = parts.isEmpty ? [] : [["attempts", parts.joined(separator: ", ")]]
        return counts + [["retries", "\(machine.retries) after the first attempt"]] + worker
    }

    private func times(_ now: Double) -> [[String]] {
        let points: [(String, Double?)] = [
            ("accepted", record.createdAt), ("started", record.startedAt),
            ("ended", record.finishedAt),
        ]
        return points.compactMap { name, seconds in
            guard let seconds, let time = Timestamp.iso(seconds) else { return nil }
            return [name, "\(time) (\(Timestamp.relative(seconds, now: now)))"]
        }
    }

    private var faultRows: [[String]] {
        guard let fault = record.fault else { return [] }
        return [["error", "\(fault.message) (\(fault.code))"], ["hint", fault.hint]]
            .filter { !$0[1].isEmpty }
    }

    private var resultRows: [[String]] {
        guard let result = record.result else { return [] }
        let rows = [
            ["result", result.output], ["size", "\(ByteSize(bytes: result.bytes))"],
            ["sha256", result.sha256], ["took", "\(Decimals.text(result.seconds, digits: 2)) s"],
        ]
        return rows + result.warnings.map { ["warning", $0.message] }
    }

    private var specRows: [[String]] {
        let (spec, request, settings) = (
            record.spec, record.spec.request, record.spec.request.settings
        )
        var rows = spec.shownSources.map { ["source", $0] } + [["preset", request.preset.name]]
        if let range = settings.timeRange {
            rows.append(["start", ClockText.exact(range.start)])
            if let duration = range.duration {
                rows.append(["duration", ClockText.exact(duration)])
            }
        }
        rows.append(["output", request.output ?? "the cache alone"])
        rows.append(["priority", "\(spec.priority)"])
        if let limit = settings.fileLengthLimit {
            rows.append(["size limit", "\(ByteSize(bytes: limit))"])
        }
        if let seconds = spec.expiresSeconds {
            rows.append(["expires", "\(Timestamp.span(seconds)) after it is made"])
        }
        if let seconds = spec.timeoutSeconds {
            rows.append(["timeout", "\(Timestamp.span(seconds)) for an attempt"])
        }
        rows.append([
            "policies",
            "overwrite \(settings.overwrite.rawValue),"
                + " on-truncated \(settings.onTruncated.rawValue),"
                + " verify \(settings.verification.rawValue), copy \(settings.copy.rawValue)"
                + (settings.stripsMetadata ? ", strip-metadata" : ""),
        ])
        return rows
            + settings.metadata.sorted { $0.key < $1.key }.map {
                ["metadata", "\($0.key)=\($0.value)"]
            }
    }
}
