internal import TakeupFiles
import TakeupModel
import TakeupJobs
internal import TakeupS3
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
        presets = PresetCatalog(own: options.presetFolder, paths: options.paths)
    }

    /// Reads every field, whatever is wrong with the others.
    mutating func job(
        _ draft: JobDraft, defaults: JobDraft? = nil, _ faults: inout FaultList
    ) -> PlannedJob {
        var fields = FieldReader(draft, defaults: defaults, paths: options.paths)
        let template = fields.template(in: folder, own: options.presetFolder)
        let composition =
            fields.composition(folder: folder)
            .flatMap { fields.laidOut($0, by: template, folder: folder) }
            .flatMap { fields.permitted($0, folder: folder) } ?? Composition(joining: [])
        let id = fields.id()
        let output = output(&fields)
        let preset = preset(&fields, template, output: output)
        var job = spec(&fields, composition, id: id, preset: preset)
        for fault in fields.faults { faults.add(fault) }
        let naming = naming(
            output, stem: id ?? fields.timelineName ?? stem(job.request.sources.first ?? ""),
            preset?.container.rawValue ?? "")
        if case .given = naming { job.request.output = output }
        return PlannedJob(
            spec: job, line: draft.line, hasOwnID: id != nil, isPlain: draft.isPlain,
            isWhole: fields.faults.isEmpty, naming: naming, omitted: fields.omitted)
    }

    /// Where the outputs of jobs go that name none; nil for the cache alone.
    private func naming(
        _ output: String?, stem: String, _ fileExtension: String
    ) -> PlannedJob.Naming {
        guard let output else {
            guard let folder = options.outputFolder else { return .cache }
            return .chosen(folder: folder, stem: stem, fileExtension: fileExtension)
        }
        guard Folder.endsInSlash(output) else { return .given }
        return .chosen(
            folder: SourceText.isObject(output)
                ? String(output.dropLast()) : ListPath.absolute(output, from: folder), stem: stem,
            fileExtension: fileExtension)
    }

    private func stem(_ source: String) -> String {
        ListPath.split(SourceName.file(of: source)).stem
    }

    /// The absolute path or the address of the job's output; one that is a folder keeps its slash.
    private func output(_ fields: inout FieldReader) -> String? {
        guard let text = fields.text(.output) else { return nil }
        let element = fields.element(.output)
        let base = options.outputFolder ?? folder
        if S3Address.isMeant(by: text) { return object(text, &fields) }
        if let fault = ListPath.fault(text) {
            if options.paths != nil, text.utf8.contains(0) {
                fields.forbid(.output, element)
            } else {
                fields.note(.output, element, fault)
            }
            return nil
        }
        if S3Address.isMeant(by: base), !Folder.isAbsolute(text) {
            return object("\(base)/\(text)", &fields)
        }
        var path = ListPath.absolute(text, from: base)
        if let paths = options.paths {
            guard let place = paths.output(Folder.endsInSlash(text) ? "\(path)/" : path) else {
                fields.forbid(.output, element)
                return nil
            }
            path = Folder.endsInSlash(place) ? String(Substring(place.utf8.dropLast())) : place
        }
        if Folder.endsInSlash(text) { return path + "/" }
        return suffixed(path, &fields)
    }

    private func suffixed(_ path: String, _ fields: inout FieldReader) -> String? {
        let suffix = ListPath.split(ListPath.name(of: path)).suffix.lowercased()
        guard Self.extensions.contains(suffix) else {
            fields.note(
                .output, fields.element(.output), "does not tell what to write",
                hint: "let the name end in .mp4, .m4v or .m4a, or in / for a folder")
            return nil
        }
        return path
    }

    /// The address of an output in a bucket; one that is the beginning of keys keeps its slash.
    private func object(_ text: String, _ fields: inout FieldReader) -> String? {
        let element = fields.element(.output)
        guard options.paths == nil else {
            fields.note(
                .output, element,
                "cannot be in a bucket over HTTP: the server's keys would write it",
                hint: "leave it out: the result is in the cache, which may be in a bucket")
            return nil
        }
        guard let object = S3Address(text) else {
            fields.note(
                .output, element, "is no place in a bucket",
                hint: "write s3://BUCKET/KEY, without empty parts or dots alone")
            return nil
        }
        if object.key.isEmpty || Folder.endsInSlash(object.key) {
            return object.key.isEmpty ? "\(object)/" : "\(object)"
        }
        return suffixed("\(object)", &fields)
    }

    private mutating func preset(
        _ fields: inout FieldReader, _ template: CompositionTemplate?, output: String?
    ) -> ExportPreset? {
        let element = fields.element(.preset)
        let said = fields.text(.preset)
        if element != nil, said == nil { return nil }
        let own = said ?? template?.preset
        let changes = fields.presetChanges(over: options.presetChanges)
        if let own, let paths = options.paths, ExportPreset.isPath(own),
            paths.source(ListPath.absolute(own, from: folder)) == nil
        {
            fields.forbid(.preset, element)
            return nil
        }
        do throws(PresetError) {
            return try presets.preset(
                own ?? options.preset, from: own == nil ? ListPath.current : folder,
                setting: changes, output: output)
        } catch {
            if case .change(let change, _, let reason) = error {
                fields.note(.set, fields.element(.set), "has '\(change)', which \(reason)")
            } else {
                let failure = Failure(error)
                fields.note(.preset, element, failure.message, hint: failure.hint)
            }
            return nil
        }
    }

    private func spec(
        _ fields: inout FieldReader, _ composition: Composition, id: String?,
        preset: ExportPreset?
    ) -> JobSpec {
        var settings = options.settings
        settings.timeRange = fields.timeRange(otherwise: settings.timeRange)
        fields.choice(.overwrite, &settings.overwrite)
        fields.choice(.onTruncated, &settings.onTruncated)
        fields.choice(.verify, &settings.verification)
        fields.choice(.copy, &settings.copy)
        settings.metadata = fields.metadata(over: settings.metadata)
        settings.stripsMetadata = fields.flag(.stripMetadata) ?? settings.stripsMetadata
        settings.fileLengthLimit =
            fields.parsed(
                .sizeLimit, as: "a size of at most 1000TB such as \"25MB\" or a number of bytes"
            ) { ByteSize.outputLimit(parsing: $0) } ?? settings.fileLengthLimit
        var spec = JobSpec(
            id: JobID(rawValue: id ?? ""),
            ExportRequest(
                composition, preset: preset ?? .unread, settings: settings))
        if id == nil { spec.id = spec.automaticID }
        spec.followsLinks = options.paths == nil
        spec.expiresSeconds = fields.expiry() ?? options.expiresSeconds
        spec.priority = fields.integer(.priority, in: JobSpec.priorities) ?? options.priority
        spec.retries = fields.integer(.retries, in: JobSpec.retryCounts) ?? options.retries
        spec.notBefore = fields.parsed(
            .notBefore, as: "a time such as \"2026-05-04T03:02:01Z\"", PointInTime.seconds)
        spec.timeoutSeconds = fields.parsed(
            .timeout, as: "a time such as \"90m\" or a number of seconds"
        ) { DurationText(parsing: $0)?.seconds }
        fields.choice(.onReplaced, &spec.onReplaced)
        spec.queue = fields.text(.queue) ?? options.queue
        spec.tags = fields.names(.tags) ?? options.tags
        spec.key = fields.text(.key) ?? options.key
        return spec
    }
}

extension ExportPreset {
    /// Stands for a preset with a fault, in a job that is refused for it.
    fileprivate static let unread = ExportPreset(name: "", description: "", container: .mp4)
}

extension FieldReader {
    /// Seconds that the result is kept; `never` stands for as long as anything is.
    fileprivate mutating func expiry() -> Double? {
        parsed(.expires, as: "a time such as \"7d\", \"12h\" or a number of seconds") {
            DurationText(parsing: $0).map { $0.seconds ?? DurationText.longest }
        }
    }
}
