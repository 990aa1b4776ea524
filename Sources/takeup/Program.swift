/// Reads a command line, runs its command and says what went wrong.
enum Program {
    /// Takes the arguments as bytes, without the program's name.
    static func run(_ arguments: [[UInt8]], in context: CommandContext) async -> ExitCode {
        let words: [String]
        do {
            words = try ArgumentWords.decode(arguments)
        } catch {
            Talk(context).error(error)
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
            Talk(context).error(error)
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
        do {
            command = try make(invocation, in: context)
        } catch let error as UsageError {
            Talk(context).error(error)
            return .usage
        } catch let error as ConfigurationError {
            Talk(context).error(Failure(error))
            return .configuration
        } catch {
            Talk(context).error(Failure.unexpected(error))
            return .internalError
        }
        context.engine.listen(
            MediaLog.make(isVerbose: command.style.isVerbose, to: context.diagnostics))
        do {
            return try await command.run(in: context)
        } catch {
            if command.style.isJSON, !command.reportsOwnFailures {
                context.print(["type": "error", "error": error.json])
            }
            Talk(context, command.style).error(error)
            return error.exitCode
        }
    }

    private static func make(
        _ invocation: Invocation, in context: CommandContext
    ) throws -> any Command {
        guard let make = invocation.command.make else {
            throw UsageError("a command is missing", path: invocation.path)
        }
        let options = CommandTable.commonOptions + invocation.command.options
        let settings =
            invocation.command.diagnosesConfiguration
            ? try Settings(
                options: options.filter { $0.environment == nil || $0.name == "color" },
                flags: invocation.options, environment: [:], configuration: nil)
            : try Settings.load(options: options, invocation: invocation, context: context)
        let input = CommandInput(
            path: invocation.path, arguments: invocation.arguments, settings: settings,
            invocation: invocation)
        if invocation.command.decodesUnsealed, input.isOn(SandboxDemand.option) {
            throw SandboxDemand.unsealed(invocation.command.name)
        }
        return try make(input)
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
