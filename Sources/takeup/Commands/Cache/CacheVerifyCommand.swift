import TakeupModel
import TakeupService

/// Hashes every file of the cache again and drops what is damaged.
struct CacheVerifyCommand: Command {
    static let specification = CommandSpecification(
        name: "verify",
        summary: "Hash everything in the cache again and drop what is damaged",
        details:
            "Ends with 76 when something was; its job makes it again when somebody asks for it.",
        options: StateOptions.withCache + ServerOptions.specifications,
        examples: [.init(line: "takeup cache verify", effect: "after a crash of the disk")],
        make: { input throws(UsageError) in try CacheVerifyCommand(input) })

    let style: OutputStyle
    private let options: CacheOptions

    init(_ input: CommandInput) throws(UsageError) {
        style = OutputStyle(input)
        options = try CacheOptions(input)
    }

    private static let notForServers = Failure(
        exitCode: .usage, code: "notForServers", stage: "request",
        message: "a server does not check its cache on request",
        hint: "run it on the server's machine, without --server and TAKEUP_SERVER")

    func run(in context: CommandContext) async throws(Failure) -> ExitCode {
        guard !options.asksServer else { throw Self.notForServers }
        let cache = try options.open(in: context)
        let (checked, damages) = try cache.verify()
        if style.isJSON {
            context.print([
                "checked": .whole(checked),
                "problems": .list(damages.map(\.json)),
            ])
        } else {
            for damage in damages {
                context.print("\(damage.id.escaped): \(damage.problem.escaped)")
            }
            if !style.isQuiet {
                let dropped =
                    damages.isEmpty ? "" : " and dropped; a job that needs it makes it again"
                context.print("\(checked) checked, \(damages.count) damaged\(dropped)")
            }
        }
        return damages.isEmpty ? .success : .verificationFailed
    }
}
