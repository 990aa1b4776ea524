import TakeupFiles
import TakeupIngest
import TakeupIntake
import TakeupModel
import TakeupService
import TakeupWatch

extension WatchPlan {
    /// Reads the command line and the configuration.
    ///
    /// - Parameters:
    ///   - input: The command as it was given; its settings are of every option.
    ///   - context: Where relative paths start.
    /// - Throws: For a folder or a setting that cannot be used, and for folders in each other's way.
    init(_ input: CommandInput, in context: CommandContext) throws(Failure) {
        let configuration = input.settings.configuration
        let known = configuration?.folders ?? []
        var requests: [WatchRequest] = []
        for folder in input.arguments {
            let path = Folder.resolved(context.absolute(folder))
            let section = known.first {
                Folder.resolved(context.absolute($0.path)) == path
            }
            requests.append(
                try Self.request(folder, section, input, mayBeMissing: false, in: context))
        }
        if input.arguments.isEmpty {
            for section in known {
                requests.append(
                    try Self.request(
                        section.path, section, input, mayBeMissing: true, in: context))
            }
        }
        guard !requests.isEmpty else {
            throw Failure(
                UsageError(
                    "there is no folder to watch",
                    hint: "give a folder, or add folders to the configuration: 'man takeup-config'",
                    path: input.path))
        }
        self.init(requests, configuration?.hooks ?? [])
    }

    /// One folder, with the settings that hold for it.
    private static func request(
        _ folder: String, _ section: Configuration.Folder?, _ input: CommandInput,
        mayBeMissing: Bool, in context: CommandContext
    ) throws(Failure) -> WatchRequest {
        do {
            let configuration = input.settings.configuration?.inside(section)
            let settings = try settings(configuration, input, in: context)
            return try WatchRequest(
                folder, input.with(settings), configuration?.rules ?? [],
                mayBeMissing: mayBeMissing, in: context)
        } catch {
            let failure = Failure(of: error)
            // A preset file that is missing is a fault of the settings, too.
            guard [.usage, .inputMissing].contains(failure.exitCode), let section,
                input.arguments.isEmpty
            else {
                throw failure
            }
            throw Failure(
                exitCode: .configuration, code: failure.code, stage: failure.stage,
                message: "watched folder \(section.path): \(failure.message)",
                hint: failure.hint)
        }
    }

    /// The settings of a folder, by the configuration as it is inside its section.
    static func settings(
        _ configuration: Configuration?, _ input: CommandInput, in context: CommandContext
    ) throws -> Settings {
        try Settings(
            options: CommandTable.commonOptions + WatchCommand.specification.options,
            flags: input.invocation.options, environment: context.environment,
            configuration: configuration)
    }
}
