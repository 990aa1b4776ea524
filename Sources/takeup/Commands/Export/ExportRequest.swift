import TakeupExport

/// Everything `takeup export` was asked to do, checked as far as that goes without looking at files.
struct ExportRequest: Sendable, Equatable {
    let sources: SessionRequest.Sources
    /// A file or a folder, as it was given.
    let output: String
    let presetName: String
    let settings: ExportSettings
    let isDryRun: Bool

    init(_ input: CommandInput) throws(UsageError) {
        do {
            sources = try Self.sources(input)
            output = try Self.output(input)
            let options = try ExportOptions(input)
            presetName = options.presetName
            var settings = options.settings
            settings.posterPath = input.value("poster")
            self.settings = settings
            isDryRun = input.isOn("dry-run")
        } catch {
            throw UsageError(error.message, hint: error.hint, path: input.path)
        }
    }

    private static func sources(
        _ input: CommandInput
    ) throws(UsageError) -> SessionRequest.Sources {
        let (video, audio) = (input.value("video"), input.value("audio"))
        for path in input.arguments + [video, audio].compactMap(\.self) {
            try checkKind(path)
        }
        switch (video, audio, input.arguments.count) {
        case (nil, nil, 1...): return .joined(input.arguments)
        case (nil, nil, _): throw UsageError("INPUT is missing")
        case (let video?, let audio?, 0): return .split(video: video, audio: audio)
        case (let video?, nil, 1): return .split(video: video, audio: input.arguments[0])
        case (nil, let audio?, 1): return .split(video: input.arguments[0], audio: audio)
        default:
            throw UsageError(
                "--video and --audio do not go with these inputs",
                hint: "give --video FILE and --audio FILE, or one of them and one INPUT")
        }
    }

    /// Refuses the kinds of input that this version cannot read yet.
    private static func checkKind(_ path: String) throws(UsageError) {
        guard path != "-" else {
            throw UsageError(
                "standard input cannot be exported", hint: "media is read by seeking: give a file")
        }
        let scheme = path.prefix {
            $0.isASCII && ($0.isLetter || $0.isNumber || "+.-".contains($0))
        }
        if !scheme.isEmpty, path.dropFirst(scheme.count).hasPrefix("://") {
            throw UsageError(
                "addresses are not supported yet by this version: \(path.prefix(200))",
                hint: "download the file first and give its path")
        }
        let name = path.lowercased()
        if name.hasSuffix(".otio") || name.hasSuffix(".takeup.json") {
            throw UsageError(
                "timelines are not supported yet by this version: \(path)",
                hint: "give media files; several are joined in order")
        }
    }

    private static func output(_ input: CommandInput) throws(UsageError) -> String {
        guard let output = input.value("output") else {
            if input.isOn("dry-run") { return "./" }
            throw UsageError("OUT is missing", hint: "say where to write: -o clip.mp4")
        }
        return output
    }
}
