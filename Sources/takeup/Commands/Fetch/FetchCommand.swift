import TakeupModel
import TakeupFetch
import TakeupJobs
import TakeupWorker

/// Brings remote media into the cache without exporting it.
struct FetchCommand: Command {
    static let specification = CommandSpecification(
        name: "fetch",
        summary: "Bring remote media into the cache without exporting it",
        details: """
            What has come stays, whatever ends the command: the next one fetches the rest. A later \
            export of the same address finds its bytes in the cache and only asks whether they \
            are still right.
            """,
        argument: ArgumentSpecification(
            name: "URL", count: 1...10_000, help: "http and https addresses"),
        options: [
            OptionSpecification(
                name: "checksum", valueName: "sha256:HEX",
                help: "What the content has to be; with one URL")
        ] + NetworkOptions.specifications,
        examples: [
            .init(line: "takeup fetch https://example.com/clip.mov", effect: "the whole clip"),
            .init(
                line: "takeup fetch http://10.0.0.7/a.mp4 --allow-network 10.0.0.0/24",
                effect: "from a private network"),
        ],
        make: { input throws(UsageError) in try FetchCommand(input) })

    let style: OutputStyle
    private let addresses: [AddressArgument]
    private let checksum: String?
    private let network: NetworkOptions

    init(_ input: CommandInput) throws(UsageError) {
        style = OutputStyle(input)
        var addresses: [AddressArgument] = []
        for argument in input.arguments {
            guard let address = try AddressArgument(argument) else {
                throw UsageError(
                    "'\(argument)' is no address", hint: "write http:// or https:// before it",
                    path: input.path)
            }
            if !addresses.contains(address) { addresses.append(address) }
        }
        self.addresses = addresses
        checksum = try input.parsed("checksum", as: "sha256: and 64 hexadecimal digits") {
            Self.digest($0)
        }
        guard checksum == nil || addresses.count == 1 else {
            throw UsageError(
                "--checksum is for one URL, not \(addresses.count)", hint: "fetch each alone",
                path: input.path)
        }
        network = try NetworkOptions(input, kind: .prefetch)
    }

    private static func digest(_ text: String) -> String? {
        let name = "sha256:"
        guard text.lowercased().hasPrefix(name) else { return nil }
        return SourceKey(text.dropFirst(name.count).lowercased())?.description
    }

    var reportsOwnFailures: Bool { true }

    /// Ends with the first failure, once all have been tried.
    func run(in context: CommandContext) async throws(Failure) -> ExitCode {
        context.interrupts.setStop { _ in context.hurry() }
        defer { context.interrupts.setStop(nil) }
        let library: SourceLibrary
        do throws(Failure) {
            library = try network.library(in: context)
        } catch {
            if style.isJSON { context.print(["type": "error", "error": error.json]) }
            throw error
        }
        var first: Failure?
        for address in addresses where context.interrupts.signal == nil {
            let fetch = FetchRun(
                address: address, checksum: checksum, library: library,
                limits: SourceLimits(network.limits),
                style: style)
            do {
                try await fetch.perform(in: context)
            } catch {
                // The first one is told when the command ends.
                if first != nil { Console(context, style).error(error) }
                first = first ?? error
            }
        }
        if let first { throw first }
        return .success
    }
}
