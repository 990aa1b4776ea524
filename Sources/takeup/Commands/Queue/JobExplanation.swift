import TakeupIntake
import TakeupJobs
import TakeupModel
import TakeupTimeline

/// A job in words: what it is, where it stands, and why it does not go on.
struct JobExplanation {
    private let record: JobRecord
    /// Those that gave a sign of life lately; nil where nobody knows.
    private let workers: [WorkerEntry]?

    init(_ record: JobRecord, workers: [WorkerEntry]? = nil) {
        (self.record, self.workers) = (record, workers)
    }

    /// Everything about it as a table for people.
    func lines(now: Double) -> [String] {
        let rows = [
            ["id", record.id.rawValue], ["state", stateText], ["why", why(now)],
        ]
        return TextTable.lines(
            (rows + attempts + times(now) + faultRows + resultRows + specRows).map {
                [$0[0], $0[1].escaped]
            })
    }

    private func why(_ now: Double) -> String {
        if let workers, let lack = record.lack(among: workers) {
            return workers.isEmpty ? "\(lack) ('takeup worker' starts one)" : lack
        }
        let reason = record.reason(now: now)
        return record.state == .quarantined ? "\(reason) ('takeup jobs retry')" : reason
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
        return [["error", "\(fault.message) (\(fault.code))"], ["hint", fault.advice]]
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

    /// The parts of what is more than whole sources joined in order.
    private var timelineRows: [[String]] {
        let composition = record.spec.shownComposition
        guard composition.needsTimeline else { return [] }
        let background = composition.background.map { [["background", "\($0)"]] } ?? []
        return background
            + composition.tracks.enumerated().flatMap { number, track in
                let name = "track \(number + 1)"
                let facts = [
                    track.volume.map { "volume \($0)" },
                    track.duck.map {
                        "ducked under track \($0.under + 1) to \(Decimals.text($0.to, digits: 3))"
                    }, track.layout.map { "layout \($0)" },
                ]
                return facts.compactMap(\.self).map { [name, $0] }
                    + track.segments.flatMap { segment in
                        (segment.transition.map { [[name, "\($0)"]] } ?? [])
                            + [[name, "\(track.media.rawValue): \(Self.words(segment))"]]
                    }
            } + composition.titles.enumerated().map { ["title \($0 + 1)", "\($1)"] }
            + composition.subtitles.enumerated().map { number, subtitles in
                let drawn = subtitles.style.map { ", drawn at \($0)" } ?? ", as a track"
                return ["subtitles \(number + 1)", (subtitles.source ?? "of the sources") + drawn]
            }
    }

    private static func words(_ segment: Composition.Segment) -> String {
        guard let source = segment.source else {
            return "empty for \(ClockText.exact(segment.length ?? .zero))"
        }
        var words = [source]
        if let range = segment.range {
            let end = range.duration.map { " to \(ClockText.exact(range.start + $0))" }
            words.append("from \(ClockText.exact(range.start))\(end ?? "")")
        }
        if let rate = segment.timecodeRate {
            words.append("by timecode at \(Decimals.text(rate.doubleValue, digits: 4))")
        }
        if let speed = segment.speed {
            words.append("speed \(Decimals.text(speed.doubleValue, digits: 3))")
            if segment.pitch == .follow { words.append("pitch follows") }
        }
        if let layout = segment.layout { words.append("\(layout)") }
        return words.joined(separator: ", ")
    }

    private var specRows: [[String]] {
        let (spec, request, settings) = (
            record.spec, record.spec.request, record.spec.request.settings
        )
        var rows = spec.shownSources.map { ["source", $0] } + [["preset", request.preset.name]]
        rows += request.preset.changes.map { ["set", "\($0)"] }
        if let range = settings.timeRange {
            rows.append(["start", ClockText.exact(range.start)])
            if let duration = range.duration {
                rows.append(["duration", ClockText.exact(duration)])
            }
        }
        rows += timelineRows
        rows.append(["output", request.output ?? "the cache alone"])
        rows.append(["priority", "\(spec.priority)"])
        if let queue = spec.queue { rows.append(["queue", queue]) }
        if !spec.tags.isEmpty { rows.append(["tags", spec.tags.joined(separator: ", ")]) }
        if let key = spec.key { rows.append(["key", key]) }
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
