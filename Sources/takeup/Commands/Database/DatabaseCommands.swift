import Foundation
import TakeupModel
import TakeupService

/// The group of commands about the database.
enum DatabaseCommands {
    static let specification = CommandSpecification(
        name: "database",
        summary: "Check the database, or move it to another engine",
        details: """
            The database holds the queue and the manifest. What is about the files of one machine \
            stays in takeup.sqlite below --home.
            """,
        subcommands: [DatabaseCheckCommand.specification, DatabaseCopyCommand.specification],
        examples: [
            .init(line: "takeup database check", effect: "are its tables there, near and safe?"),
            .init(
                line: "takeup database copy sqlite:takeup.sqlite postgres://db/takeup",
                effect: "from one machine to a fleet"),
        ])
}

/// Says whether the database has its tables, can be reached and is safe.
struct DatabaseCheckCommand: Command {
    static let specification = CommandSpecification(
        name: "check",
        summary: "Say whether the database has its tables, is near and safe",
        details: """
            Ends with 1 where something is wrong, with 69 where the database cannot be reached, 77 \
            where the user lacks a right, and 78 where a later version made the tables.
            """,
        options: StateOptions.specifications,
        examples: [.init(line: "takeup database check --json", effect: "the same, for scripts")],
        make: { input throws(UsageError) in DatabaseCheckCommand(input) })

    let style: OutputStyle
    private let state: StateOptions

    init(_ input: CommandInput) {
        (style, state) = (OutputStyle(input), StateOptions(input))
    }

    func run(in context: CommandContext) async throws(Failure) -> ExitCode {
        let places = try state.places(in: context)
        let hasQueue = try places.hasQueue()
        let found =
            hasQueue || places.database.path == nil
            ? try DatabaseCheck.all(of: places.database) : []
        guard hasQueue else {
            throw Failure(
                exitCode: .inputMissing, code: "notFound", stage: "request",
                message: "there is no queue in \(places.database.name)",
                hint:
                    "name its database with --database; the first command that uses it makes its tables"
            )
        }
        let checks = found.map(DoctorCheck.init)
        if style.isJSON {
            context.print([
                "database": .text(places.database.name), "checks": .list(checks.map(\.json)),
            ])
        } else {
            for check in checks where !style.isQuiet || check.status != .good {
                context.print(
                    "\(check.status.rawValue)  \(check.subject): \(check.finding.escaped)")
                if let hint = check.hint { context.print("      \(hint)") }
            }
        }
        return checks.contains { $0.status == .failure } ? .failed : .success
    }
}

extension DoctorCheck {
    init(_ check: DatabaseCheck) {
        let status: Status =
            switch check.status {
            case .good: .good
            case .warning: .warning
            case .failure: .failure
            }
        self.init(
            subject: check.subject, status: status, finding: check.finding, hint: check.hint)
    }
}

/// Moves the queue and the manifest to another database.
struct DatabaseCopyCommand: Command {
    static let specification = CommandSpecification(
        name: "copy",
        summary: "Copy the queue and the manifest into another, empty database",
        details: """
            Copies jobs, results, names and counters in one transaction, and compares counts and \
            hashes before it commits. Ends with 75 and copies nothing while workers run, or where \
            the target holds other jobs or results. The source stays as it is: use only one of the \
            two from then on, for both name the same cache. Passwords come from ~/.pgpass, \
            PGPASSFILE, PGPASSWORD or a service file.
            """,
        argument: ArgumentSpecification(
            name: "FROM TO", count: 2...2, help: "sqlite:PATH or postgres://HOST/NAME"),
        options: StateOptions.specifications,
        examples: [
            .init(
                line: "takeup database copy sqlite:takeup.sqlite postgres://db/takeup",
                effect: "to a server"),
            .init(
                line: "takeup database copy postgres://db/takeup sqlite:/srv/takeup.sqlite",
                effect: "and back"),
        ],
        make: { input throws(UsageError) in DatabaseCopyCommand(input) })

    let style: OutputStyle
    private let addresses: [String]

    init(_ input: CommandInput) {
        (style, addresses) = (OutputStyle(input), input.arguments)
    }

    func run(in context: CommandContext) async throws(Failure) -> ExitCode {
        let places = try addresses.map { (text) throws(Failure) in
            guard let address = DatabaseAddress(text, absolute: context.absolute) else {
                throw Failure(
                    exitCode: .usage, code: "usage", stage: "request",
                    message: "the database cannot be '\(DatabaseAddress.shown(text))'",
                    hint: "write sqlite:PATH or postgres://HOST/DATABASE")
            }
            return address
        }
        let copied = try DatabaseCopy(from: places[0], to: places[1]).perform()
        if style.isJSON {
            context.print([
                "from": .text(places[0].name), "to": .text(places[1].name),
                "tables": .list(copied.map(\.json)),
            ])
        } else if !style.isQuiet {
            for table in copied {
                context.print(
                    "\(table.name): \(table.rows) rows, SHA-256 \(table.sha256.prefix(16))")
            }
            Console(context, style).note(
                "copied; name the new one as --database everywhere, and start the workers")
        }
        return .success
    }
}
