internal import Foundation

/// Keys of QuickTime metadata: phones and cameras use them to say who recorded what, when and
/// where.
///
/// - Note: Source: Apple QuickTime File Format, "QuickTime Metadata Keys".
enum QuickTimeKeys {
    private static let apple = "com.apple.quicktime."
    /// Prefix of other vendors' keys, for example `com.android.version`: they also begin with a
    /// domain name.
    private static let domain = "com."
    /// Highest number of entries to carry, and most bytes of one entry.
    private static let (mostEntries, mostBytes) = (128, 4096)

    /// FFmpeg's names of entries that have no other place in an MP4.
    private static let others = ["make", "model", "director", "producer"]

    /// QuickTime entries that mean the same as an MP4 key; an entry that ends in a dot is a prefix.
    private static let twins: [String: [String]] = [
        "title": ["title", "displayname"], "artist": ["artist"], "album": ["album"],
        "comment": ["comment"], "copyright": ["copyright"], "description": ["description"],
        "genre": ["genre"], "keywords": ["keywords"], "location": ["location."],
        "date": ["creationdate", "year"], "creation_time": ["creationdate"],
    ]
    private static let place = "location.iso6709"

    /// Selects the entries of a source that go into an MP4 unchanged.
    ///
    /// - Parameter metadata: FFmpeg's metadata; Matroska writes keys in capitals.
    /// - Returns: The entries by their QuickTime key names.
    static func carried(_ metadata: [String: String]) -> [String: String] {
        var carried: [String: String] = [:]
        for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
            let isOther = others.contains(key.lowercased())
            guard let name = isOther ? apple + key.lowercased() : name(key), !value.isEmpty,
                value.utf8.count <= mostBytes, carried.count < mostEntries,
                !value.unicodeScalars.contains(where: { $0.value < 32 && $0 != "\n" })
            else { continue }
            // A value under Apple's own key has priority.
            if carried[name] == nil || !isOther { carried[name] = value }
        }
        return carried
    }

    /// - Returns: The QuickTime key name; nil for a key of another kind, and for pictures.
    private static func name(_ key: String) -> String? {
        let lower = key.lowercased()
        guard lower.hasPrefix(domain), lower.dropFirst(domain.count).contains("."),
            key.utf8.count <= 128, key.utf8.allSatisfy({ $0 > 32 && $0 < 127 }),
            lower != apple + "artwork"
        else { return nil }
        if lower == apple + place { return apple + "location.ISO6709" }
        return key == key.uppercased() ? lower : key
    }

    /// Returns the location among the entries, in MP4's format; nil if there is none.
    static func location(_ keys: [String: String]) -> String? {
        keys.first { $0.key.lowercased() == apple + place }?.value
    }

    /// Removes the entries that a user replaces or deletes, by MP4 key or by entry name.
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
