public import TakeupModel
internal import TakeupTimeline

/// Names a job by what it does, so that the same work has the same name.
public enum JobKey {
    /// Returns sixteen hexadecimal digits for a composition, a range and a preset.
    public static func make(_ request: ExportRequest) -> String {
        // A preset whose numbers JSON cannot hold has its name.
        let content = (try? request.preset.canonicalJSON()) ?? request.preset.name
        let range = request.settings.timeRange
        var fields = request.sources
        let kinds = request.composition.tracks.map(\.media)
        if kinds != [.all] { fields += kinds.map(\.rawValue) }
        fields += request.composition.parts ?? []
        fields.append(range.map { "\($0.start.value)/\($0.start.timescale)" } ?? "")
        fields.append(range?.duration.map { "\($0.value)/\($0.timescale)" } ?? "")
        fields.append(content)
        let text = String(hash(fields), radix: 16)
        return String(repeating: "0", count: 16 - text.count) + text
    }

    /// FNV-1a in 64 bits; a zero byte, which no path holds, ends each field.
    private static func hash(_ fields: [String]) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for field in fields {
            for byte in field.utf8 {
                hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
            }
            hash = hash &* 0x0000_0100_0000_01b3
        }
        return hash
    }
}
