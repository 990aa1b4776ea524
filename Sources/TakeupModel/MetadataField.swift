internal import TakeupTimeline

/// Which keys of metadata an MP4 can carry, and what their values must be.
///
/// - Note: Source: FFmpeg's `movenc.c`: every other key is left out without a word.
public enum MetadataField {
    /// What a key's value is stored as.
    private enum Form {
        case text
        /// A number from 0 to this.
        case number(Int)
        /// A number, or one of so many: `3` or `3/12`.
        case place
        /// ISO 8601.
        case moment
        /// ISO 6709.
        case position
        case timecode
    }

    private static let forms: [String: Form] = [
        "title": .text, "artist": .text, "album_artist": .text, "composer": .text,
        "album": .text, "date": .text, "comment": .text, "genre": .text, "copyright": .text,
        "grouping": .text, "lyrics": .text, "description": .text, "synopsis": .text,
        "show": .text, "episode_id": .text, "network": .text, "keywords": .text,
        "episode_sort": .number(Int(Int32.max)), "season_number": .number(Int(Int32.max)),
        "media_type": .number(255), "hd_video": .number(255), "gapless_playback": .number(255),
        "compilation": .number(255), "track": .place, "disc": .place, "creation_time": .moment,
        "location": .position, "timecode": .timecode,
    ]

    /// All keys, sorted.
    public static let keys: [String] = forms.keys.sorted()

    /// What is wrong with an entry that somebody asks for.
    ///
    /// - Parameters:
    ///   - key: In any case.
    ///   - value: Empty to remove the key, which every key allows.
    /// - Returns: The reason and what to do; nil when the output will carry it.
    public static func fault(_ key: String, _ value: String) -> (reason: String, hint: String)? {
        guard !value.isEmpty else { return nil }
        guard let form = forms[key.lowercased()] else {
            let near = NearestNames(of: key, among: keys).names.first
            return (
                "an MP4 cannot carry the metadata \(QuotedText(key))",
                near.map { "did you mean '\($0)'?" }
                    ?? "the keys are \(keys.joined(separator: ", "))"
            )
        }
        guard let need = need(form, value) else { return nil }
        return (
            "the metadata '\(key)' needs \(need), not \(QuotedText(value))",
            "else it would be left out"
        )
    }

    /// What a value must be; nil when it is that.
    private static func need(_ form: Form, _ value: String) -> String? {
        switch form {
        case .text: return nil
        case .number(let most):
            let isNumber = Int(value).map { (0...most).contains($0) } ?? false
            return isNumber ? nil : "a whole number from 0 to \(most)"
        case .place:
            let parts = value.split(separator: "/", omittingEmptySubsequences: false)
            let numbers = parts.compactMap { Int($0) }.filter { (0...65_535).contains($0) }
            let isPlace = numbers.count == parts.count && (1...2).contains(parts.count)
            return isPlace && numbers[0] > 0 ? nil : "a number such as 3 or 3/12"
        case .moment:
            return isMoment(value) ? nil : "a time such as 2024-05-06T07:08:09Z"
        case .position:
            let isPosition =
                value.first.map { "+-".contains($0) } == true
                && value.dropFirst().allSatisfy { "+-.0123456789/".contains($0) }
            return isPosition ? nil : "a place such as +48.1372+011.5756/"
        case .timecode:
            return Timecode(value, rate: Ratio(240, 1)) != nil
                ? nil : "a timecode such as 01:00:00:00"
        }
    }

    /// A date, with a time behind T or a space where there is one.
    private static func isMoment(_ text: String) -> Bool {
        let parts = text.split(maxSplits: 1) { "Tt ".contains($0) }
        guard let first = parts.first else { return false }
        let date = first.split(separator: "-", omittingEmptySubsequences: false)
        let numbers = date.compactMap { Int($0) }
        guard date.count == 3, numbers.count == 3, (1904...2040).contains(numbers[0]),
            (1...12).contains(numbers[1]), (1...31).contains(numbers[2])
        else { return false }
        guard parts.count == 2 else { return true }
        return parts[1].first?.isNumber == true
            && parts[1].allSatisfy { "0123456789:.Zz+-".contains($0) }
    }
}
