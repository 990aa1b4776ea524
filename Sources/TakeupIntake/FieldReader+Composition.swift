import TakeupJobs
import TakeupModel

/// What a job exports: sources, or a timeline.
extension FieldReader {
    /// What the job exports; nil when there is something wrong with it.
    mutating func composition(folder: String) -> Composition? {
        if let element = soleSource {
            switch element.value {
            case .object:
                var faults = FaultList()
                let found = TimelineFile.composition(
                    element, folder: folder, paths: paths, &faults)
                for fault in faults.sorted { note(fault) }
                return found
            case .text(let text), .cell(let text):
                guard TimelineFile.isOne(text), !SourceText.isAddress(text) else { break }
                // A caller with limited paths must not learn what is in a file.
                guard paths == nil else {
                    note(
                        .source, element, "a timeline file cannot be read here",
                        hint: "put the timeline into the job, as an object")
                    return nil
                }
                return timeline(ListPath.absolute(text, from: folder), element)
            case .null, .flag, .number, .list: break
            }
        }
        let found = sources()?.map { place($0, folder) }
        return found.map { Composition(joining: $0) }
    }

    private func place(_ source: String, _ folder: String) -> String {
        SourceText.isAddress(source) ? source : ListPath.absolute(source, from: folder)
    }

    /// Lays out what is joined as a template says, over the job's music; nil when there is something wrong with it.
    mutating func laidOut(
        _ composition: Composition, by template: CompositionTemplate?, folder: String
    ) -> Composition? {
        guard let template else {
            guard let element = element(.music) else { return composition }
            note(.music, element, "needs a template", hint: "name one, such as \"stories\"")
            return nil
        }
        guard composition == Composition(joining: composition.sources) else {
            note(
                .template, element(.template), "takes clips, not a timeline",
                hint: "leave out the template, or list the clips")
            return nil
        }
        guard element(.music) != nil else {
            return template.composition(of: composition.sources)
        }
        guard let music = source(.music).map({ place($0, folder) }) else { return nil }
        return template.composition(of: composition.sources, music: music)
    }

    /// The template that the job names; nil when it names none, or none that is there.
    mutating func template(in folder: String, own: PresetFolder?) -> CompositionTemplate? {
        guard let name = text(.template) else { return nil }
        guard paths == nil || !ExportPreset.isPath(name) else {
            forbid(.template, element(.template))
            return nil
        }
        let place = ExportPreset.isPath(name) ? ListPath.absolute(name, from: folder) : name
        do throws(Failure) {
            return try CompositionTemplate.resolve(place, in: own)
        } catch {
            note(.template, element(.template), error.message, hint: error.hint)
            return nil
        }
    }

    /// The source, also where it stands in a list alone.
    private var soleSource: JSONElement? {
        guard let element = element(.source) else { return nil }
        if case .list(let elements) = element.value, elements.count == 1 { return elements[0] }
        return element
    }

    /// The name of the timeline file that is the source, without its ending; nil for other sources.
    var timelineName: String? {
        switch soleSource?.value {
        case .text(let text)?, .cell(let text)?:
            TimelineFile.ending(of: text).map {
                String(ListPath.name(of: text).dropLast($0.count))
            }
        default: nil
        }
    }

    private mutating func timeline(_ path: String, _ element: JSONElement) -> Composition? {
        do throws(BatchListError) {
            let reading = try TimelineFile.read(path)
            omitted = reading.omitted.map { BatchList.Skipped(path: path, reason: $0.message) }
            return reading.composition
        } catch {
            let reason =
                switch error {
                case .missing(let path): "there is no timeline \(path)"
                case .notPermitted(let path): "may not read the timeline \(path)"
                case .unreadable(let path, let reason):
                    "cannot read the timeline \(path): \(reason)"
                case .invalid(let path, let faults, let more):
                    "\(path) has \(faults.count + more) faults, the first: "
                        + (faults.first?.description ?? "")
                case .unfit(_, let reason, _): reason
                case .nothingMatches(let text, _): "nothing matches \(text)"
                }
            note(.source, element, reason)
            return nil
        }
    }

    /// The composition with its sources as they are opened later; nil where one may not be named.
    mutating func permitted(_ composition: Composition, folder: String) -> Composition? {
        guard let paths else { return composition }
        var forbidden: String?
        let found = composition.renamingSources { source in
            // The font of titles that name none was not named by the caller.
            if SourceText.isAddress(source) || source == StandardFont.path() { return source }
            if let place = paths.source(source) { return place }
            forbidden = forbidden ?? source
            return source
        }
        guard let forbidden else { return found }
        for field in [JobField.source, .music] {
            let element = element(field)
            let named = element?.texts.first { ListPath.absolute($0, from: folder) == forbidden }
            guard field == .music || named != nil || self.element(.music) == nil else { continue }
            forbid(field, element, named)
            break
        }
        return nil
    }
}
