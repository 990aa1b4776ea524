internal import Foundation

extension ExportPreset {
    /// The fields that can be changed for one export, as paths in the preset's JSON: `video.crf`, `fastStart`.
    public static let fields: [String] =
        VideoSettings.CodingKeys.allCases.map { "video.\($0.stringValue)" }
        + AudioSettings.CodingKeys.allCases.map { "audio.\($0.stringValue)" }
        + [CodingKeys.subtitles, .fastStart, .sizeLimit].map(\.stringValue)

    /// The same preset with other values in some of its fields, checked as a preset file is.
    ///
    /// - Parameter changes: In their order; a later one of a field replaces an earlier one.
    /// - Returns: A preset that tells its changes. With another codec it keeps none of the first encoder's words
    ///   (`profile`, `speed`, `tune`); with `copy` no other setting of the track.
    /// - Throws: `PresetError.change` for a field that does not exist, or a value that it cannot have.
    public func setting(_ changes: [PresetChange]) throws(PresetError) -> ExportPreset {
        guard !changes.isEmpty else { return self }
        let all = Self.merged(self.changes + changes)
        guard all.count <= PresetChange.most else {
            throw .change(
                all[PresetChange.most], preset: name,
                reason: "is one of more than \(PresetChange.most) changes")
        }
        // `video.frameRate=30` means the text "30": what is no good as a number may be one as a text.
        var texts: [String: PresetError] = [:]
        while true {
            do throws(PresetError) {
                return try decoded(all, Set(texts.keys))
            } catch {
                guard case .change(let change, _, _) = error else { throw error }
                if let first = texts[change.key] { throw first }
                guard Self.literal(change.value) != nil else { throw error }
                texts[change.key] = error
            }
        }
    }

    private static func merged(_ changes: [PresetChange]) -> [PresetChange] {
        // Sorted, so that the same changes make the same preset.
        changes.indices.filter { place in
            !changes[(place + 1)...].contains { $0.key == changes[place].key }
        }.map { changes[$0] }.sorted { $0.key < $1.key }
    }

    // `texts`: fields whose values are texts, whatever they look like.
    private func decoded(
        _ changes: [PresetChange], _ texts: Set<String>
    ) throws(PresetError) -> ExportPreset {
        var plain = self
        plain.changes = []
        let json = Data(try plain.canonicalJSON().utf8)
        guard var object = try? JSONSerialization.jsonObject(with: json) as? [String: Any] else {
            throw .invalid(path: name, key: "", reason: "cannot be changed")
        }
        for change in changes where change.key.hasSuffix(".codec") {
            let kind = String(change.key.dropLast(".codec".count))
            guard var settings = object[kind] as? [String: Any] else { continue }
            // Words of one encoder mean nothing to another, and a copy has no settings.
            for field in ["profile", "speed", "tune"] { settings[field] = nil }
            object[kind] = change.value == "copy" ? [:] : settings
        }
        for change in changes {
            let literal = texts.contains(change.key) ? nil : Self.literal(change.value)
            try set(change, to: literal ?? change.value, in: &object)
        }
        do {
            let changed = try JSONSerialization.data(withJSONObject: object)
            var preset = try ExportPreset.decode(changed, from: name)
            preset.changes = changes
            return preset
        } catch PresetError.invalid(_, let key, let reason) {
            let change =
                changes.first { $0.key == key } ?? changes.last ?? PresetChange(key, "")
            throw .change(
                change, preset: name,
                reason: change.key == key
                    ? reason : "goes against \(QuotedText(key)), which \(reason)")
        } catch {
            throw .invalid(path: name, key: "", reason: "cannot be changed: \(error)")
        }
    }

    private func set(
        _ change: PresetChange, to value: Any, in object: inout [String: Any]
    ) throws(PresetError) {
        guard Self.fields.contains(change.key) else {
            let nearest = NearestNames(of: change.key, among: Self.fields).names.first
            throw .change(
                change, preset: name,
                reason: "is no field of a preset; "
                    + (nearest.map { "did you mean '\($0)'?" }
                        ?? "the fields are \(Self.fields.joined(separator: ", "))"))
        }
        guard change.value.utf8.count <= PresetChange.longestValue else {
            throw .change(
                change, preset: name,
                reason: "has a value of more than \(PresetChange.longestValue) bytes")
        }
        let path = change.key.split(separator: ".").map(String.init)
        guard path.count == 2 else {
            object[change.key] = value
            return
        }
        guard var settings = object[path[0]] as? [String: Any] else {
            let kind = path[0] == "video" ? "pictures" : "sound"
            throw .change(change, preset: name, reason: "means nothing: the preset has no \(kind)")
        }
        settings[path[1]] = value
        // A ceiling belongs to a loudness.
        if change.key == "audio.loudness", value is NSNull { settings["truePeak"] = nil }
        object[path[0]] = settings
    }

    /// The value as JSON's number, truth value or null; nil for any other text.
    private static func literal(_ text: String) -> Any? {
        let json = try? JSONSerialization.jsonObject(
            with: Data(text.utf8), options: .fragmentsAllowed)
        switch json {
        case let number as NSNumber: return number
        case let null as NSNull: return null
        default: return nil
        }
    }
}
