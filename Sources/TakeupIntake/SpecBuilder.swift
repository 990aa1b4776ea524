import TakeupModel
import TakeupJobs
import TakeupTimeline

/// Makes job specs from what lists say.
struct SpecBuilder {
    private static let extensions = ["mp4", "m4v", "m4a"]

    let options: BatchOptions
    /// Where relative paths start; absolute.
    let folder: String
    private var presets: PresetCatalog

    init(_ options: BatchOptions, folder: String) {
        (self.options, self.folder) = (options, folder)
        presets = PresetCatalog(own: options.presetFolder)
    }

    /// Reads every field, whatever is wrong with the others.
    mutating func job(
        _ draft: JobDraft, defaults: JobDraft? = nil, _ faults: inout FaultList
    ) -> PlannedJob {
        var fields = FieldReader(draft, defaults: defaults)
        let sources = fields.sources()?.map {
            SourceText.isAddress($0) ? $0 : ListPath.absolute($0, from: folder)
        }
        let id = fields.id()
        let output = output(&fields)
        let preset = preset(&fields, output: output)
        var job = spec(&fields, sources: sources ?? [], id: id, preset: preset)
        for fault in fields.faults { faults.add(fault) }
        let naming = naming(
            output, stem: id ?? stem(job.sources.first ?? ""), preset?.fileExtension ?? "")
        if case .given = naming { job.output = output }
        return PlannedJob(
            spec: job, line: draft.line, hasOwnID: id != nil, isPlain: draft.isPlain,
            isWhole: fields.faults.isEmpty, naming: naming)
    }

    /// Where the outputs of jobs go that name none; nil for the cache alone.
    private func naming(
        _ output: String?, stem: String, _ fileExtension: String
    ) -> PlannedJob.Naming {
        guard let output else {
            guard let folder = options.outputFolder else { return .cache }
            return .chosen(folder: folder, stem: stem, fileExtension: fileExtension)
        }
        guard output.hasSuffix("/") else { return .given }
        return .chosen(
            folder: ListPath.absolute(output, from: folder), stem: stem,
            fileExtension: fileExtension)
    }

    private func stem(_ source: String) -> String {
        ListPath.split(SourceName.file(of: source)).stem
    }

    /// The absolute path of the job's output; one that is a folder keeps its slash.
    private func output(_ fields: inout FieldReader) -> String? {
        guard let text = fields.text(.output) else { return nil }
        let element = fields.element(.output)
        if let fault = ListPath.fault(text) {
            fields.note(.output, element, fault)
            return nil
        }
        let path = ListPath.absolute(text, from: options.outputFolder ?? folder)
        if text.hasSuffix("/") { return path + "/" }
        let suffix = ListPath.split(ListPath.name(of: path)).suffix.lowercased()
        guard Self.extensions.contains(suffix) else {
            fields.note(
                .output, element, "does not tell what to write",
                hint: "let the name end in .mp4, .m4v or .m4a, or in / for a folder")
            return nil
        }
        return path
    }

    private mutating func preset(
        _ fields: inout FieldReader, output: String?
    ) -> PresetCatalog.Entry? {
        let element = fields.element(.preset)
        let own = fields.text(.preset)
        if element != nil, own == nil { return nil }
        let changes = fields.presetChanges(over: options.presetChanges)
        do throws(PresetError) {
            return try presets.entry(
                own ?? options.preset, from: own == nil ? ListPath.current : folder,
                setting: changes, output: output)
        } catch {
            if case .change(let change, _, let reason) = error {
                fields.note(.set, fields.element(.set), "has '\(change)', which \(reason)")
            } else {
                fields.note(.preset, element, "\(error)")
            }
            return nil
        }
    }

    private func spec(
        _ fields: inout FieldReader, sources: [String], id: String?,
        preset: PresetCatalog.Entry?
    ) -> JobSpec {
        let range = fields.timeRange(otherwise: options.timeRange)
        var spec = JobSpec(
            id: JobID(rawValue: id ?? ""), sources: sources,
            preset: preset?.snapshot ?? PresetSnapshot(name: "", content: ""))
        spec.start = range.map { ExactTime($0.start) }
        spec.duration = range?.duration.map { ExactTime($0) }
        if id == nil { spec.id = spec.automaticID }
        let overwrite = fields.choice(.overwrite, ExportSettings.Overwrite.self)
        let onTruncated = fields.choice(.onTruncated, ExportSettings.OnTruncated.self)
        let verify = fields.choice(.verify, ExportSettings.Verification.self)
        let copy = fields.choice(.copy, ExportSettings.CopyPolicy.self)
        spec.overwrite = overwrite ?? options.overwrite
        spec.onTruncated = onTruncated ?? options.onTruncated
        spec.verify = verify ?? options.verification
        spec.copy = copy ?? options.copy
        spec.metadata = fields.metadata(over: options.metadata)
        spec.stripsMetadata = fields.flag(.stripMetadata) ?? options.stripsMetadata
        spec.sizeLimit =
            fields.parsed(
                .sizeLimit, as: "a size of at most 1000TB such as \"25MB\" or a number of bytes"
            ) { ByteSize.outputLimit(parsing: $0) } ?? options.sizeLimit
        spec.expiresSeconds = fields.expiry() ?? options.expiresSeconds
        spec.priority = fields.integer(.priority, in: JobSpec.priorities) ?? options.priority
        spec.retries = fields.integer(.retries, in: JobSpec.retryCounts) ?? options.retries
        spec.notBefore = fields.parsed(
            .notBefore, as: "a time such as \"2026-05-04T03:02:01Z\"", PointInTime.seconds)
        spec.timeoutSeconds = fields.parsed(
            .timeout, as: "a time such as \"90m\" or a number of seconds"
        ) { DurationText(parsing: $0)?.seconds }
        spec.onReplaced = fields.choice(.onReplaced, JobSpec.OnReplaced.self)
        return spec
    }
}

extension FieldReader {
    /// Seconds that the result is kept; `never` stands for as long as anything is.
    fileprivate mutating func expiry() -> Double? {
        parsed(.expires, as: "a time such as \"7d\", \"12h\" or a number of seconds") {
            DurationText(parsing: $0).map { $0.seconds ?? DurationText.longest }
        }
    }
}
