import Foundation
import TakeupFiles
import TakeupIngest
import TakeupModel
import TakeupWatch

/// With which settings a folder is watched, as its daemon notes them for who asks about its files later.
struct FolderNote: Codable, Equatable, Sendable {
    /// What the command line and the environment say, by the options' names; paths are absolute.
    private(set) var options: [String: [String]] = [:]
    /// The file that says the rest; absolute.
    private(set) var configuration: String?

    /// Creates the note of a folder without recorded facts.
    init() {}

    /// - Parameters:
    ///   - input: With settings of every option of `WatchCommand.folderOptions`.
    ///   - context: Where relative paths start.
    init(_ input: CommandInput, in context: CommandContext) {
        configuration = Self.configuration(input, in: context)
        for option in WatchCommand.folderOptions {
            guard let setting = input.settings.setting(option.name) else { continue }
            switch setting.origin {
            case .flag, .environment:
                options[option.name] = setting.values.map {
                    Self.place($0, of: option.completion, in: context)
                }
            case .configuration, .builtIn: continue
            }
        }
    }

    /// What was noted of a folder; nil when nothing was.
    init?(of folder: String, in ledger: WatchLedger) throws(WatchError) {
        guard let text = try ledger.settings(of: folder),
            let note = try? JSONDecoder().decode(FolderNote.self, from: Data(text.utf8))
        else { return nil }
        self = note
    }

    /// As the ledger keeps it; nil never happens, as every field can be written.
    var text: String? {
        (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The configuration that a command reads; absolute.
    static func configuration(_ input: CommandInput, in context: CommandContext) -> String? {
        input.settings.configuration.map { context.absolute($0.path) }
    }

    private static func place(
        _ value: String, of kind: CompletionKind, in context: CommandContext
    ) -> String {
        switch kind {
        case .directory, .file: context.absolute(value)
        case .preset where context.presetPlace(value) != value: context.absolute(value)
        case .preset, .template, .presetField, .nothing: value
        }
    }

    /// The folder as it is watched by this note, but for what a command line says itself.
    ///
    /// - Parameters:
    ///   - folder: Absolute; it may be missing.
    ///   - input: The command as it was given.
    ///   - context: Where relative paths start.
    /// - Returns: What is noted is looked up in the configuration as it is now.
    /// - Throws: For a configuration or a preset that cannot be used any more.
    func request(
        _ folder: String, _ input: CommandInput, in context: CommandContext
    ) throws(Failure) -> WatchRequest {
        let known = CommandTable.commonOptions + WatchCommand.specification.options
        let own = input.invocation.options
        do {
            let file = try configuration.map {
                try Configuration(path: $0, reading: CommandTable.everyOption)
            }
            let section = file?.folders.first {
                Folder.resolved(context.absolute($0.path)) == folder
            }
            let inside = file?.inside(section)
            let settings = try noted(
                over: Settings(
                    options: known, flags: own, environment: [:], configuration: inside),
                besides: own, known)
            return try WatchRequest(
                folder, input.with(settings), inside?.rules ?? [], mayBeMissing: true,
                in: context)
        } catch {
            throw Failure(of: error)
        }
    }

    private func noted(
        over settings: Settings, besides own: [String: [String]], _ known: [OptionSpecification]
    ) throws(ConfigurationError) -> Settings {
        do {
            return try settings.overlaid(
                options.filter { own[$0.key] == nil }, .configuration("its last watch"),
                options: known)
        } catch {
            throw ConfigurationError(
                message: "what it was watched with last: \(error.message)", hint: error.hint)
        }
    }
}
