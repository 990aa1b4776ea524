internal import Foundation
internal import TakeupIntake
internal import TakeupJobs
internal import TakeupModel
internal import TakeupTimeline

/// A job as the API tells of it: `JobRecord.json`, and with it `detailedJSON`.
struct JobDocument: Decodable {
    struct Progress: Decodable {
        var phase: String
        var fraction: Double?
        var speed: Double?
        var eta: Double?
    }

    struct Fault: Decodable {
        var code: String
        var stage: String
        var message: String
        var hint: String
        /// Nil in a list, and from servers of earlier releases.
        var exitCode: Int32?
    }

    struct Result: Decodable {
        var output: String
        var bytes: Int64
        var sha256: String
        var duration: Double?
        var frames: Int?
        var seconds: Double?
        var warnings: [JobResult.Warning]?
    }

    struct Spec: Decodable {
        var sources: [String]
        var timeline: Timeline?
        var set: [String]?
        var start: Double?
        var duration: Double?
        var output: String?
        var overwrite: String?
        var onTruncated: String?
        var verify: String?
        var copy: String?
        var metadata: [String: String]?
        var stripMetadata: Bool?
        var sizeLimit: Int64?
        var expires: Double?
        var priority: Int?
        var retries: Int?
        var notBefore: String?
        var timeout: Double?
        var onReplaced: String?
        var queue: String?
        var tags: [String]?
        var key: String?
    }

    /// What is exported, where it is more than whole sources joined in order.
    struct Timeline: Decodable {
        struct Track: Decodable {
            var media: Composition.Media?
            var volume: Double?
            var volumeRamps: [Ramp]?
            var duck: Duck?
            var layout: LayoutDocument?
            var segments: [Segment]
        }

        struct Duck: Decodable {
            var under: Int
            var to: Double
            var attack: String
            var release: String
            var threshold: Double
        }

        struct Ramp: Decodable {
            var start: String
            var duration: String
            var from: Double
            var to: Double
        }

        struct Segment: Decodable {
            var source: String?
            var timecode: String?
            var start: String?
            var duration: String?
            var speed: String?
            var pitch: Composition.Segment.Pitch?
            var empty: String?
            var layout: LayoutDocument?
            /// Of what joins two segments; its duration is `duration`.
            var transition: String?
            var color: String?
        }

        var background: String?
        var tracks: [Track]
        var titles: [TitleDocument]?
        var subtitles: [SubtitlesDocument]?
    }

    /// One text, or several.
    struct Source: Decodable {
        let all: [String]

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if let one = try? value.decode(String.self) {
                all = [one]
            } else {
                all = try value.decode([String].self)
            }
        }
    }

    var id: String
    var state: JobState
    var source: Source
    var preset: String
    var priority: Int?
    var queue: String?
    var tags: [String]?
    var key: String?
    var output: String?
    var progress: Progress?
    var error: Fault?
    var note: String?
    var startedAt: String?
    var finishedAt: String?
    var cursor: String
    var runAt: String?
    var failures: Int?
    var crashes: Int?
    var interruptions: Int?
    var cancelRequested: Bool?
    var worker: String?
    var leaseUntil: String?
    var workKey: String?
    var result: Result?
    var spec: Spec?
}

extension JobDocument {
    /// The job as commands know it; nil where the place in the list makes no sense.
    var record: JobRecord? {
        guard let cursor = JobCursor(cursor) else { return nil }
        let machine = JobStateMachine(
            state: state, retries: spec?.retries ?? 0, failures: failures ?? 0,
            crashes: crashes ?? 0, interruptions: interruptions ?? 0,
            isCancelRequested: cancelRequested ?? false)
        var record = JobRecord(jobSpec, machine, at: cursor)
        record.runAt = runAt.flatMap(PointInTime.seconds) ?? record.runAt
        record.owner = worker.map(WorkerID.init(rawValue:))
        record.leaseUntil = leaseUntil.flatMap(PointInTime.seconds)
        record.startedAt = startedAt.flatMap(PointInTime.seconds)
        record.finishedAt = finishedAt.flatMap(PointInTime.seconds)
        record.workKey = workKey
        record.note = note
        record.progress = progress.map {
            JobProgress(
                phase: $0.phase, fraction: $0.fraction ?? 0, speed: $0.speed, etaSeconds: $0.eta)
        }
        record.lastResult = result.map(JobResult.init)
        record.fault = error.map {
            Failure(
                exitCode: ExitCode(stated: $0.exitCode) ?? .internalError, code: $0.code,
                stage: $0.stage, message: $0.message, hint: $0.hint)
        }
        return record
    }

    private var jobSpec: JobSpec {
        var preset = ExportPreset(name: preset, description: "", container: .mp4)
        preset.changes = (spec?.set ?? []).compactMap(PresetChange.init(parsing:))
        var request = ExportRequest(
            spec?.timeline.map(Composition.init)
                ?? Composition(joining: spec?.sources ?? source.all), preset: preset,
            settings: spec.map(ExportSettings.init) ?? ExportSettings())
        // A list tells of one output alone, and not who has named it.
        request.output = spec == nil ? output : spec?.output
        var job = JobSpec(id: JobID(rawValue: id), request)
        job.expiresSeconds = spec?.expires
        job.priority = priority ?? 0
        job.retries = spec?.retries ?? 0
        job.notBefore = spec?.notBefore.flatMap(PointInTime.seconds)
        job.timeoutSeconds = spec?.timeout
        (job.queue, job.tags, job.key) = (
            spec?.queue ?? queue, spec?.tags ?? tags ?? [], spec?.key ?? key
        )
        job.onReplaced = spec?.onReplaced.flatMap(JobSpec.OnReplaced.init) ?? .fail
        return job
    }
}

extension Composition {
    fileprivate init(_ timeline: JobDocument.Timeline) {
        self.init(
            tracks: timeline.tracks.map {
                var track = Track(
                    $0.media ?? .all, segments: Self.segments($0.segments),
                    layout: $0.layout?.layout)
                track.volume = $0.volume.map { [ramps = $0.volumeRamps ?? []] level in
                    Volume(level, ramps: ramps.map(Volume.Ramp.init))
                }
                track.duck = $0.duck.map(Ducking.init)
                return track
            }, background: timeline.background.flatMap(PictureColor.init(parsing:)),
            titles: (timeline.titles ?? []).map(\.title),
            subtitles: (timeline.subtitles ?? []).map(\.subtitles))
    }

    /// The segments of a list that also holds what joins them.
    private static func segments(_ elements: [JobDocument.Timeline.Segment]) -> [Segment] {
        var segments: [Segment] = []
        var joint: Transition?
        for element in elements {
            if let word = element.transition {
                joint = Transition(
                    Transition.Kind(rawValue: word) ?? .dissolve,
                    element.duration.flatMap { MediaTime(parsing: $0) } ?? .zero,
                    color: element.color.flatMap(PictureColor.init(parsing:)))
                continue
            }
            var segment = Segment(element)
            segment.transition = joint.take()
            segments.append(segment)
        }
        return segments
    }
}

extension Ducking {
    fileprivate init(_ duck: JobDocument.Timeline.Duck) {
        self.init(
            under: duck.under &- 1, to: duck.to, attack: MediaTime(parsing: duck.attack) ?? .zero,
            release: MediaTime(parsing: duck.release) ?? .zero, threshold: duck.threshold)
    }
}

extension Volume.Ramp {
    fileprivate init(_ ramp: JobDocument.Timeline.Ramp) {
        self.init(
            start: MediaTime(parsing: ramp.start) ?? .zero,
            duration: MediaTime(parsing: ramp.duration) ?? .zero, from: ramp.from, to: ramp.to)
    }
}

extension Composition.Segment {
    fileprivate init(_ segment: JobDocument.Timeline.Segment) {
        func time(_ text: String?) -> MediaTime? { text.flatMap { MediaTime(parsing: $0) } }
        guard let source = segment.source else {
            self = .empty(time(segment.empty) ?? .zero)
            return
        }
        let range = time(segment.start).map {
            TimeRange(start: $0, duration: time(segment.duration))
        }
        func ratio(_ text: String?) -> Ratio? {
            time(text).map { Ratio($0.value, $0.timescale) }
        }
        self.init(source: source, range: range, speed: ratio(segment.speed))
        timecodeRate = ratio(segment.timecode)
        pitch = segment.pitch
        layout = segment.layout?.layout
    }
}

extension ExportSettings {
    fileprivate init(_ spec: JobDocument.Spec) {
        self.init()
        timeRange = spec.start.map {
            TimeRange(
                start: MediaTime(seconds: $0),
                duration: spec.duration.map { MediaTime(seconds: $0) })
        }
        overwrite = spec.overwrite.flatMap(Overwrite.init) ?? overwrite
        onTruncated = spec.onTruncated.flatMap(OnTruncated.init) ?? onTruncated
        verification = spec.verify.flatMap(Verification.init) ?? verification
        copy = spec.copy.flatMap(CopyPolicy.init) ?? copy
        metadata = spec.metadata ?? [:]
        stripsMetadata = spec.stripMetadata ?? false
        fileLengthLimit = spec.sizeLimit
    }
}

extension JobResult {
    fileprivate init(_ result: JobDocument.Result) {
        self.init(
            output: result.output, key: "", bytes: result.bytes, sha256: result.sha256,
            duration: result.duration ?? 0, frames: result.frames ?? 0,
            seconds: result.seconds ?? 0,
            warnings: result.warnings ?? [])
    }
}
