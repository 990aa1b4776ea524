import TakeupCache
import TakeupIntake
import TakeupJobs
import TakeupModel
import TakeupS3
import TakeupService

/// Prints where a result is.
struct CacheGetCommand: Command {
    static let specification = CommandSpecification(
        name: "get",
        summary: "Print the path or the address of a result and nothing else",
        details:
            "Counts as a use of the result. Ends with 66 when the cache does not hold it. A result"
            + " in a bucket is copied to this machine first, unless its address is asked for.",
        argument: ArgumentSpecification(
            name: "ID", count: 1...1, help: "The id of an entry or of the job that made it"),
        options: [
            OptionSpecification(
                name: "url",
                help: "Print an address that reads the result from the bucket, for whoever has it"),
            OptionSpecification(
                name: "fetch", help: "Print the path of a file on this machine; the default"),
            OptionSpecification(
                name: "expires", valueName: "AGE",
                help: "How long the address lives, up to 7d; default 1h"),
        ] + CacheLimitOptions.specifications + StateOptions.withCache
            + ServerOptions.specifications,
        examples: [
            .init(line: "takeup cache get story-42", effect: "a path to open"),
            .init(
                line: "takeup cache get story-42 --url --expires 15m",
                effect: "an address for a browser"),
        ],
        make: { input throws(UsageError) in try CacheGetCommand(input) })

    let style: OutputStyle
    private let options: CacheOptions
    private let id: String
    /// Seconds that an address is to live; nil for a path.
    private let addressSeconds: Int?

    init(_ input: CommandInput) throws(UsageError) {
        style = OutputStyle(input)
        options = try CacheOptions(input)
        id = input.arguments[0]
        let wantsAddress = input.isOn("url")
        if wantsAddress, input.isOn("fetch") {
            throw UsageError(
                "--url and --fetch are two different things", hint: "give one of them",
                path: input.path)
        }
        // The configuration means results of jobs by that name.
        let isTimed = input.isFlag("expires")
        if isTimed, !wantsAddress {
            throw UsageError(
                "--expires says how long an address lives", hint: "give --url too",
                path: input.path)
        }
        let seconds =
            try isTimed
            ? input.parsed("expires", as: "a time up to 7d, such as 15m or 12h") {
                Self.addressSeconds($0)
            } : nil
        addressSeconds = wantsAddress ? seconds ?? 3600 : nil
    }

    private static func addressSeconds(_ text: String) -> Int? {
        guard let seconds = DurationText(parsing: text)?.seconds,
            (1...Double(PresignedAddress.longestSeconds)).contains(seconds)
        else { return nil }
        return Int(seconds)
    }

    func run(in context: CommandContext) async throws(Failure) -> ExitCode {
        let cache = try options.open(in: context)
        if let addressSeconds { return try printAddress(cache, addressSeconds, in: context) }
        guard let entry = try cache.use(id) else { throw missing(in: context) }
        if style.isJSON {
            context.print(entry.json)
        } else {
            context.print(entry.path)
        }
        return .success
    }

    private func printAddress(
        _ cache: CacheAccess, _ seconds: Int, in context: CommandContext
    ) throws(Failure) -> ExitCode {
        if options.asksServer {
            throw Failure(
                exitCode: .usage, code: "usage", stage: "request",
                message: "a server gives out no addresses of the bucket",
                hint: "ask with --objects and --database, or read the result from the server")
        }
        switch try cache.address(id, seconds) {
        case nil: throw missing(in: context)
        case .noAddress?:
            throw Failure(
                exitCode: .usage, code: "usage", stage: "request",
                message: "results in a folder have no address",
                hint: "leave out --url for the path; --objects s3://BUCKET keeps results in one")
        case .address(let address)?:
            if style.isJSON {
                context.print(
                    [
                        "id": .text(id), "url": .text(address), "seconds": .integer(Int64(seconds)),
                    ])
            } else {
                context.print(address)
            }
            return .success
        }
    }

    /// Says of a job's id why it has no result.
    private func missing(in context: CommandContext) -> Failure {
        let unknown = Failure.unknownEntries([id])
        guard let job = options.job(id, in: context) else { return unknown }
        return Failure(
            exitCode: unknown.exitCode, code: unknown.code, stage: unknown.stage,
            message: "the cache has no result of job '\(id)', \(job.noResult.reason)",
            hint: "\(job.noResult.hint); 'takeup jobs show \(id.shellWord)' says more")
    }
}
