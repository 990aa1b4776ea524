internal import Foundation

/// The keys of QuickTime metadata, in which phones and cameras say who recorded what, when and where.
///
/// - Note: Source: Apple QuickTime File Format, "QuickTime Metadata Keys".
enum QuickTimeKeys {
    private static let apple = "com.apple.quicktime."
    /// Whoever else has keys, such as `com.android.version`, begins them with a domain's name too.
    private static let domain = "com."
    /// Most entries that are carried, and most bytes of one.
    private static let (mostEntries, mostBytes) = (128, 4096)

    /// What FFmpeg calls entries for which an MP4 has no other place.
    private static let others = ["make", "model", "director", "producer"]

    /// What MP4's own key says too, by that key; an entry that ends in a dot stands for all that begin with it.
    private static let twins: [String: [String]] = [
        "title": ["title", "displayname"], "artist": ["artist"], "album": ["album"],
        "comment": ["comment"], "copyright": ["copyright"], "description": ["description"],
        "genre": ["genre"], "keywords": ["keywords"], "location": ["location."],
        "date": ["creationdate", "year"], "creation_time": ["creationdate"],
    ]
    private static let place = "location.iso6709"

    /// The entries of a source that go into an MP4 as they are.
    ///
    /// - Parameter metadata: As FFmpeg gives it: Matroska writes keys in capitals.
    /// - Returns: By the keys' names as QuickTime has them.
    static func carried(_ metadata: [String: String]) -> [String: String] {
        var carried: [String: String] = [:]
        for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
            let isOther = others.contains(key.lowercased())
            guard let name = isOther ? apple + key.lowercased() : name(key), !value.isEmpty,
                value.utf8.count <= mostBytes, carried.count < mostEntries,
                !value.unicodeScalars.contains(where: { $0.value < 32 && $0 != "\n" })
            else { continue }
            // What the source says in Apple's words counts more.
            if carried[name] == nil || !isOther { carried[name] = value }
        }
        return carried
    }

    /// - Returns: nil for a key of another kind, and for pictures.
    private static func name(_ key: String) -> String? {
        let lower = key.lowercased()
        guard lower.hasPrefix(domain), lower.dropFirst(domain.count).contains("."),
            key.utf8.count <= 128, key.utf8.allSatisfy({ $0 > 32 && $0 < 127 }),
            lower != apple + "artwork"
        else { return nil }
        if lower == apple + place { return apple + "location.ISO6709" }
        return key == key.uppercased() ? lower : key
    }

    /// The place of an entry list, in MP4's own words; nil when there is none that MP4 can say.
    static func location(_ keys: [String: String]) -> String? {
        keys.first { $0.key.lowercased() == apple + place }?.value
    }

    /// Takes out what a user replaces or removes, by MP4's own key or by the entry's.
    static func remove(_ key: String, from keys: inout [String: String]) {
        let key = key.lowercased()
        let names = (twins[key] ?? []).map { apple + $0 }
        keys = keys.filter { name, _ in
            let name = name.lowercased()
            return name != key && name != apple + key
                && !names.contains { $0.hasSuffix(".") ? name.hasPrefix($0) : name == $0 }
        }
    }
}
