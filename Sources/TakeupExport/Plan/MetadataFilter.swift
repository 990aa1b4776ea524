/// Selects the source's metadata to carry into an MP4.
enum MetadataFilter {
    /// Keys that describe the old file instead of the work.
    private static let dropped: Set<String> = [
        "major_brand", "minor_version", "compatible_brands", "encoder", "encoded_by", "duration",
        "handler_name", "vendor_id", "creation_app", "software", "tsrc",
    ]

    static func carried(_ metadata: [String: String]) -> [String: String] {
        var carried: [String: String] = [:]
        for (key, value) in metadata where !dropped.contains(key.lowercased()) {
            guard !value.isEmpty, value.utf8.count <= 4096, key.utf8.count <= 128 else { continue }
            carried[key.lowercased()] = value
        }
        return carried
    }
}
