import TakeupMediaClient
import TakeupModel

/// Which exports suffer from what the FFmpeg libraries of this machine lack.
struct FFmpegInventory: Sendable {
    let found: MediaInventory
    var presets = ExportPreset.shipped

    /// FFmpeg's encoders that posters and presets need.
    static func encoders(_ presets: [ExportPreset] = ExportPreset.shipped) -> Set<String> {
        Set(PosterFormat.allCases.map(\.encoder) + presets.flatMap(\.encoders))
    }

    static var filterNames: Set<String> { Set(filters.map(\.0)) }

    /// The filters of every chain that exports build, and what they are for.
    private static let filters = [
        ("zscale", "scaling and colours"), ("scale", "tiny pictures"), ("format", "pixel formats"),
        ("transpose", "turned pictures"), ("hflip", "turned pictures"),
        ("vflip", "turned pictures"),
        ("crop", "odd sizes"), ("pad", "joining different shapes"), ("bwdif", "interlaced video"),
        ("idet", "finding interlaced video"), ("premultiply", "transparency"), ("tonemap", "HDR"),
        ("pan", "mixing channels"), ("aresample", "sample rates"), ("aformat", "sound"),
        ("atempo", "speeds of timelines"),
    ]

    /// Without these hardly any export that is no copy succeeds.
    private static let vital: Set = ["zscale", "format", "aformat", "aresample"]

    func checks() -> [DoctorCheck] {
        [DoctorCheck(subject: "FFmpeg", status: .good, finding: versions)]
            + encoderChecks + filterChecks
    }

    private var versions: String { "\(found.release) (\(found.libraries.joined(separator: ", ")))" }

    private var encoderChecks: [DoctorCheck] {
        var users = Dictionary(
            uniqueKeysWithValues: PosterFormat.allCases.map { ($0.encoder, ["posters"]) })
        for preset in presets {
            for encoder in preset.encoders { users[encoder, default: []].append(preset.name) }
        }
        let missing = users.filter { !found.encoders.contains($0.key) }
        let present = users.keys.filter { missing[$0] == nil }.sorted()
        var checks = missing.sorted { $0.key < $1.key }.map { encoder, names in
            DoctorCheck(
                subject: encoder,
                status: names.contains(ExportPreset.defaultName) ? .failure : .warning,
                finding: "FFmpeg was built without this encoder; presets that need it: "
                    + names.joined(separator: ", "),
                hint: "install FFmpeg libraries that have \(encoder), or use other presets")
        }
        if !present.isEmpty {
            checks.insert(
                DoctorCheck(
                    subject: "encoders", status: .good, finding: present.joined(separator: ", ")),
                at: 0)
        }
        return checks
    }

    private var filterChecks: [DoctorCheck] {
        let missing = Self.filters.filter { !found.filters.contains($0.0) }
        guard !missing.isEmpty else {
            return [
                DoctorCheck(
                    subject: "filters", status: .good, finding: "all \(Self.filters.count) present")
            ]
        }
        return missing.map { name, purpose in
            DoctorCheck(
                subject: name, status: Self.vital.contains(name) ? .failure : .warning,
                finding: "FFmpeg was built without this filter, needed for \(purpose)",
                hint: "install FFmpeg libraries that have it")
        }
    }
}

extension ExportPreset {
    /// FFmpeg's encoders that it needs.
    fileprivate var encoders: [String] {
        [video?.codec.encoderName, audio?.codec == .aac ? "aac" : nil].compactMap { $0 }
    }
}
