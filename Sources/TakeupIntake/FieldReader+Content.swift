import TakeupCurl
import TakeupFiles
import TakeupModel
import TakeupJobs
import TakeupS3
import TakeupTimeline

/// The fields that take more than one value to read.
extension FieldReader {
    /// The paths and addresses to join; nil when there is something wrong with them.
    mutating func sources() -> [String]? {
        guard let element = element(.source) else {
            note(.source, nil, "is missing", hint: "every job needs a source")
            return nil
        }
        switch element.value {
        case .text(let text), .cell(let text):
            return check(text, element, .source).map { [$0] }
        case .list(let elements):
            guard (1...JobSpec.mostSources).contains(elements.count) else {
                note(.source, element, "needs 1 to \(JobSpec.mostSources) paths")
                return nil
            }
            let paths = elements.compactMap { path($0) }
            return paths.count == elements.count ? paths : nil
        case .null, .flag, .number, .object:
            wrong(.source, element, needs: "a path or a list of paths")
        }
        return nil
    }

    /// The path or the address of one source; nil when there is something wrong with it.
    mutating func source(_ field: JobField) -> String? {
        guard let element = element(field), let text = text(field) else { return nil }
        return check(text, element, field)
    }

    private mutating func path(_ element: JSONElement) -> String? {
        guard case .text(let text) = element.value else {
            wrong(.source, element, needs: "a path")
            return nil
        }
        return check(text, element, .source)
    }

    /// Refuses what is no path, and the kinds of source that this version cannot read.
    private mutating func check(
        _ path: String, _ element: JSONElement, _ field: JobField
    ) -> String? {
        let name = path.lowercased()
        let scheme = path.prefix {
            $0.isASCII && ($0.isLetter || $0.isNumber || "+.-".contains($0))
        }
        if !scheme.isEmpty, path.dropFirst(scheme.count).hasPrefix("://") {
            return address(path, element, field)
        }
        if paths != nil, path.hasPrefix("upload:") { return upload(path, element, field) }
        if paths != nil, path.utf8.contains(0) {
            forbid(field, element)
        } else if let fault = ListPath.fault(path) {
            note(field, element, fault)
        } else if TimelineFile.isOne(name) {
            note(
                field, element, "a timeline stands alone, not in a list of sources",
                hint: "write its segments into one timeline")
        } else if path == "-" {
            note(field, element, "standard input cannot be exported", hint: "give a file")
        } else {
            return path
        }
        return nil
    }

    private mutating func upload(
        _ text: String, _ element: JSONElement, _ field: JobField
    ) -> String? {
        do throws(FileError) {
            if let place = try paths?.upload(text.dropFirst("upload:".count)) { return place }
        } catch {
            note(BatchFault(unreadable: error, line: element.line, field: field.rawValue))
            return nil
        }
        note(
            field, element, "is no upload that is there and complete",
            hint: "upload the file, and give the source that the server answers")
        return nil
    }

    /// Reads an address; what is wrong with it is said without showing it, for it may hold secrets.
    private mutating func address(
        _ text: String, _ element: JSONElement, _ field: JobField
    ) -> String? {
        if S3Address.isMeant(by: text) {
            guard let object = S3Address(text), !object.key.isEmpty,
                !TimelineFile.isOne(object.key.lowercased())
            else {
                note(
                    field, element, "is no object that can be fetched",
                    hint: "write s3://BUCKET/KEY of a media file")
                return nil
            }
            return object.description
        }
        do throws(CurlError) {
            let address = try WebAddress(text)
            let name = address.path.lowercased()
            guard !TimelineFile.isOne(name) else {
                note(
                    field, element, "a timeline is not read from an address",
                    hint: "save it as a file")
                return nil
            }
            return address.text
        } catch {
            note(
                field, element, "is an address that cannot be fetched: \(error.reason)",
                hint: "give an http or https address without user and password, or a file's path")
            return nil
        }
    }

    /// What the job is to be called; nil when it says nothing, or nothing usable.
    mutating func id() -> String? {
        guard let id = parsed(.id, as: "a name", { $0 }) else { return nil }
        guard JobID(rawValue: id).isUsable else {
            note(.id, element(.id), "cannot be \(QuotedWord(id))", hint: JobID.rule)
            return nil
        }
        return id
    }

    /// The part that is asked for; the job's own end or duration replaces the list's.
    mutating func timeRange(otherwise fallback: TimeRange?) -> TimeRange? {
        let ownsEnd = draft.says(.end) || draft.says(.duration)
        let start = time(.start)
        let end = ownsEnd && !draft.says(.end) ? nil : time(.end)
        let duration = ownsEnd && !draft.says(.duration) ? nil : time(.duration)
        let first = start ?? fallback?.start ?? .zero
        switch (end, duration) {
        case (let end?, nil):
            if end > first { return TimeRange(start: first, end: end) }
            note(.end, element(.end), "has to be after start", hint: "start is \(first)")
        case (nil, let duration?):
            if duration > .zero { return TimeRange(start: first, duration: duration) }
            note(.duration, element(.duration), "has to be more than 0")
        case (.some, .some):
            note(.duration, element(.duration), "cannot stand beside end", hint: "give one")
        case (nil, nil): return inherited(first, start, fallback)
        }
        return nil
    }

    /// The command line's range, from the job's own start if it has one.
    private mutating func inherited(
        _ first: MediaTime, _ start: MediaTime?, _ fallback: TimeRange?
    ) -> TimeRange? {
        guard start != nil || fallback != nil else { return nil }
        let end = fallback?.end
        if let end, end <= first {
            note(.start, element(.start), "lies behind the command line's end", hint: "\(end)")
            return nil
        }
        return end.map { TimeRange(start: first, end: $0) } ?? TimeRange(start: first)
    }

    /// The list's metadata with the job's own over it.
    mutating func metadata(over fallback: [String: String]) -> [String: String] {
        var metadata = fallback
        for draft in [defaults, draft] {
            guard let element = draft?.fields[.metadata] else { continue }
            guard case .object(let members) = element.value else {
                if case .null = element.value { continue }
                wrong(.metadata, element, needs: "an object of texts")
                continue
            }
            for member in members {
                if let value = value(of: member) { metadata[member.key.lowercased()] = value }
            }
        }
        if metadata.count > JobSpec.mostMetadata {
            note(.metadata, element(.metadata), "holds more than \(JobSpec.mostMetadata) entries")
        }
        return metadata
    }

    /// The command line's changes of the preset, then the list's, then the job's own.
    mutating func presetChanges(over fallback: [PresetChange]) -> [PresetChange] {
        var changes = fallback
        for draft in [defaults, draft] {
            guard let element = draft?.fields[.set] else { continue }
            guard case .object(let members) = element.value else {
                if case .null = element.value { continue }
                wrong(.set, element, needs: "an object such as {\"video.crf\": 20}")
                continue
            }
            for member in members {
                switch member.element.value {
                case .cell(""): continue
                case .text(let text), .cell(let text), .number(let text):
                    changes.append(PresetChange(member.key, text))
                case .flag(let flag): changes.append(PresetChange(member.key, "\(flag)"))
                case .null: changes.append(PresetChange(member.key, "null"))
                case .list, .object:
                    wrong(.set, member.element, needs: "one value for \(QuotedWord(member.key))")
                }
            }
        }
        return changes
    }

    private mutating func value(of member: JSONElement.Member) -> String? {
        let element = member.element
        switch element.value {
        case .cell(""): return nil
        case .text(let text), .cell(let text), .number(let text):
            let lengths = (1...JobID.longest, 0...JobSpec.longestMetadata)
            guard lengths.0.contains(member.key.utf8.count), !member.key.utf8.contains(0),
                lengths.1.contains(text.utf8.count), !text.utf8.contains(0)
            else {
                note(
                    .metadata, element,
                    "\(QuotedWord(member.key)) is empty, too long or holds a"
                        + " zero byte")
                return nil
            }
            if let fault = MetadataField.fault(member.key, text) {
                note(.metadata, element, fault.reason, hint: fault.hint)
                return nil
            }
            return text
        case .null, .flag, .list, .object:
            wrong(.metadata, element, needs: "a text for \(QuotedWord(member.key))")
            return nil
        }
    }
}

extension JobDraft {
    /// Whether the job itself has a value for a field.
    fileprivate func says(_ field: JobField) -> Bool {
        switch fields[field]?.value {
        case nil, .null, .cell(""): false
        default: true
        }
    }
}
