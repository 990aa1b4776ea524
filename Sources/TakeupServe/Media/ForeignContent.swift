internal import Foundation

/// Keeps a browser from running bytes of others as a page of this server.
enum ForeignContent {
    /// Media that have no type of their own for pictures or sound.
    private static let otherMedia: Set<String> = ["application/ogg"]

    /// The fields of an answer with such bytes, by its `Content-Type`.
    static func fields(_ type: String) -> [(String, String)] {
        let fields = [("X-Content-Type-Options", "nosniff")]
        // A browser plays media in a page of its own making, which could not load them in a sandbox.
        return isPlayed(type) ? fields : fields + [("Content-Security-Policy", "sandbox")]
    }

    /// Whether a browser that guesses no types can only play the content: anything else may be a page with scripts.
    static func isPlayed(_ type: String) -> Bool {
        let name = type.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
        if otherMedia.contains(name) { return true }
        guard let media = ["video/", "audio/"].first(where: name.hasPrefix) else { return false }
        let subtype = name.dropFirst(media.count)
        let isWord =
            !subtype.isEmpty
            && subtype.utf8.allSatisfy { byte in
                (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
                    || "-.+_".utf8.contains(byte)
            }
        // All that ends in +xml is a document to browsers.
        return isWord && !subtype.contains("xml")
    }
}
