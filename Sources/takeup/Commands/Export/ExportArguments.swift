import TakeupIntake
import TakeupModel

/// Everything `takeup export` was asked to do, checked as far as that goes without looking at files.
struct ExportArguments: Sendable, Equatable {
    /// Its sources are as they were given.
    var composition: Composition
    /// A file or a folder, as it was given.
    let output: String
    /// Whether one was given; a dry run needs none.
    let hasOutput: Bool
    private(set) var presetName: String
    private(set) var presetOrigin: Setting.Origin?
    /// Lays out the inputs: a name or a file; nil joins them.
    let template: String?
    /// Lies under the inputs by the template.
    let music: String?
    let presetChanges: [PresetChange]
    let settings: ExportSettings
    let isDryRun: Bool
    /// Whether a dry run draws a picture instead of printing the plan.
    let drawsPicture: Bool
    let network: NetworkOptions

    init(_ input: CommandInput) throws(UsageError) {
        do throws(UsageError) {
            composition = try Self.composition(input)
            output = try Self.output(input)
            hasOutput = input.value("output") != nil
            let options = try ExportOptions(input)
            (presetName, presetOrigin) = (options.presetName, options.presetOrigin)
            presetChanges = options.presetChanges
            template = input.value("template")
            music = try Self.music(input)
            var settings = options.settings
            settings.posterPath = try Self.poster(input)
            self.settings = settings
            isDryRun = input.value("dry-run") != nil
            drawsPicture = input.value("dry-run") == "svg"
            guard !drawsPicture || !input.isOn("json") else {
                throw UsageError(
                    "--dry-run=svg does not go with --json",
                    hint: "write --dry-run --json for the plan as an object")
            }
            network = try NetworkOptions(input)
        } catch {
            throw UsageError(error.message, hint: error.hint, path: input.path)
        }
    }

    private static func composition(_ input: CommandInput) throws(UsageError) -> Composition {
        let video = try input.value("video").map(Self.checked)
        let audio = try input.value("audio").map(Self.checked)
        let inputs = try input.arguments.map(Self.checked)
        switch (video, audio, inputs.count) {
        case (nil, nil, 1...): return Composition(joining: inputs)
        case (nil, nil, _): throw UsageError("INPUT is missing")
        case (let video?, let audio?, 0): return Composition(video: video, audio: audio)
        case (let video?, nil, 1): return Composition(video: video, audio: inputs[0])
        case (nil, let audio?, 1): return Composition(video: inputs[0], audio: audio)
        default:
            throw UsageError(
                "--video and --audio do not go with these inputs",
                hint: "give --video FILE and --audio FILE, or one of them and one INPUT")
        }
    }

    /// Reads the music; refuses it without a template, and a template where there is nothing to lay out.
    private static func music(_ input: CommandInput) throws(UsageError) -> String? {
        let music = try input.value("music").map(checked)
        guard input.value("template") != nil else {
            guard music == nil else {
                throw UsageError("--music needs --template", hint: "write --template stories")
            }
            return nil
        }
        guard input.value("video") == nil, input.value("audio") == nil,
            !(input.arguments + [music].compactMap(\.self)).contains(where: TimelineFile.isOne)
        else {
            throw UsageError(
                "a template takes clips, not a timeline, --video or --audio",
                hint: "leave out the template, or name the clips")
        }
        return music
    }

    /// Lays out the inputs as a template says; its preset holds where the command line names none.
    mutating func lay(out template: CompositionTemplate) {
        composition = template.composition(of: composition.sources, music: music)
        guard presetOrigin != .flag else { return }
        (presetName, presetOrigin) = (template.preset, nil)
    }

    /// Refuses the kinds of input that this version cannot read yet; an address comes back as it is fetched.
    private static func checked(_ path: String) throws(UsageError) -> String {
        guard path != "-" else {
            throw UsageError(
                "standard input cannot be exported", hint: "media is read by seeking: give a file")
        }
        let address = try AddressArgument(path)
        let name = (address?.path ?? path).lowercased()
        if let address, TimelineFile.isOne(name) {
            throw UsageError(
                "a timeline is not read from an address: \(address.shown)",
                hint: "save it as a file")
        }
        return address?.text ?? path
    }

    private static func poster(_ input: CommandInput) throws(UsageError) -> String? {
        guard let path = input.value("poster") else { return nil }
        guard PosterFormat(path: path) != nil else {
            throw UsageError(
                "cannot tell from '\(path)' what picture to write", hint: PosterFormat.hint)
        }
        return path
    }

    private static func output(_ input: CommandInput) throws(UsageError) -> String {
        guard let output = input.value("output") else {
            if input.value("dry-run") != nil { return "./" }
            // Other programs take the last name for the output.
            let last = input.arguments.dropFirst().last { $0.lowercased().hasSuffix(".mp4") }
            throw UsageError(
                "OUT is missing", hint: "say where to write: -o \(last ?? "clip.mp4")")
        }
        return output
    }
}
