import TakeupMediaClient
import TakeupModel

/// Reads a command line, runs its command and says what went wrong.
enum Program {
    /// Takes the arguments as bytes, without the program's name.
    static func run(_ arguments: [[UInt8]], in context: CommandContext) async -> ExitCode {
        let words: [String]
        do {
            words = try ArgumentWords.decode(arguments)
        } catch {
            Console(context).error(error)
            return .usage
        }
        return await run(words, in: context)
    }

    /// Takes the arguments without the program's name.
    static func run(_ arguments: [String], in context: CommandContext) async -> ExitCode {
        let invocation: Invocation
        do {
            invocation = try ArgumentReader(arguments, table: CommandTable.root).read()
        } catch {
            guard !arguments.isEmpty else {
                context.diagnostics.write(help(CommandTable.root, [], in: context))
                return .usage
            }
            if arguments.contains("--json") { context.print(Failure(error).jsonLine) }
            Console(context).error(error)
            return .usage
        }
        if invocation.has("help") {
            context.output.write(
                help(
                    invocation.command, invocation.path, isWhole: invocation.has("all"),
                    in: context))
            return .success
        }
        if invocation.has("version") {
            context.print("takeup \(CommandTable.version)")
            return .success
        }
        return await perform(invocation, in: context)
    }

    private static func perform(
        _ invocation: Invocation, in context: CommandContext
    ) async -> ExitCode {
        let command: any Command
        let isSealed: Bool
        do {
            let input = try input(invocation, in: context)
            isSealed = input.isOn(SandboxDemand.option)
            command = try make(invocation, input)
        } catch {
            let failure =
                (error as? UsageError).map(Failure.init)
                ?? (error as? ConfigurationError).map(Failure.init) ?? .unexpected(error)
            if invocation.has("json") { context.print(failure.jsonLine) }
            if let error = error as? UsageError {
                Console(context).error(error)
            } else {
                Console(context).error(failure)
            }
            return failure.exitCode
        }
        context.engine.listen(
            MediaLog.make(isVerbose: command.style.isVerbose, to: context.diagnostics))
        do {
            if invocation.command.worksOnMedia {
                try await startMedia(command.style, isSealed: isSealed, in: context)
            }
            return try await command.run(in: context)
        } catch {
            if command.style.isJSON, !command.reportsOwnFailures {
                context.print(error.jsonLine)
            }
            Console(context, command.style).error(error)
            return error.status
        }
    }

    /// Starts the sealed process while the command looks at what it was given.
    private static func startMedia(
        _ style: OutputStyle, isSealed: Bool, in context: CommandContext
    ) async throws(Failure) {
        let sandbox = HelperConfiguration.foreground.availableSandbox
        let warning = try SandboxDemand.warning(sandbox, isRequired: isSealed)
        if let warning, style.isVerbose { Console(context, style).warning(warning) }
        await context.engine.start(isSealed)
    }

    private static func make(
        _ invocation: Invocation, _ input: CommandInput
    ) throws -> any Command {
        guard let make = invocation.command.make else {
            throw UsageError("a command is missing", path: invocation.path)
        }
        return try make(input)
    }

    private static func input(
        _ invocation: Invocation, in context: CommandContext
    ) throws -> CommandInput {
        let options = CommandTable.commonOptions + invocation.command.options
        let settings =
            invocation.command.diagnosesConfiguration
            ? try Settings(
                options: options.filter { $0.environment == nil || $0.name == "color" },
                flags: invocation.options, environment: [:], configuration: nil)
            : try Settings.load(options: options, invocation: invocation, context: context)
        return CommandInput(
            path: invocation.path, arguments: invocation.arguments, settings: settings,
            invocation: invocation)
    }

    private static func help(
        _ command: CommandSpecification, _ path: [String], isWhole: Bool = false,
        in context: CommandContext
    ) -> String {
        let palette = context.palette("auto", isOutput: true)
        return HelpText(command: command, path: path, isWhole: isWhole)
            .text { palette.paint($0, .bold) }
    }
}
