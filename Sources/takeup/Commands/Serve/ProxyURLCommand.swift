import TakeupClient
import TakeupHTTP
import TakeupIntake
import TakeupModel
import TakeupServe
import TakeupService

/// Prints the addresses under which players read remote files through a server's cache.
struct ProxyURLCommand: Command {
    static let specification = CommandSpecification(
        name: "proxy-url",
        summary: "Print the server's address for a remote file",
        details: """
            Players read the same bytes from it, each fetched once, with seeks. The address is \
            signed with the key in the home folder: the server need not run now. It is valid as \
            long as that key, or for --expires.
            """,
        argument: ArgumentSpecification(name: "URL", count: 1...1000, help: "Remote files"),
        options: [
            OptionSpecification(
                name: "header", valueName: "NAME", isRepeatable: true,
                help: "Pass this field of the player's requests on to the origin"),
            OptionSpecification(
                name: "expires", valueName: "AGE",
                help: "How long the address is valid, such as 12h; default: as long as the key"),
            ServeOptions.listenOption, ServeOptions.publicURLOption,
        ] + ServerOptions.specifications + StateOptions.specifications,
        essentials: ["header", "expires", "listen", "public-url", "server"],
        examples: [
            .init(
                line: "mpv \"$(takeup proxy-url https://example.com/clip.mov)\"",
                effect: "plays it through the cache")
        ],
        make: { input throws(UsageError) in try ProxyURLCommand(input) })

    let style: OutputStyle
    private let addresses: [AddressArgument]
    private let headers: [String]
    private let expires: String?
    private let server: ServeOptions
    private let state: StateOptions

    init(_ input: CommandInput) throws(UsageError) {
        style = OutputStyle(input)
        (server, state) = (try ServeOptions(input), StateOptions(input))
        var addresses: [AddressArgument] = []
        for argument in input.arguments {
            guard let address = try AddressArgument(argument) else {
                throw UsageError(
                    "'\(argument)' is no address", hint: "write https:// and so on before it",
                    path: input.path)
            }
            addresses.append(address)
        }
        self.addresses = addresses
        headers = Set(input.values("header").map { $0.lowercased() }).sorted()
        if let name = headers.first(where: { !ProxyAddress.permits(header: $0) }) {
            throw UsageError(
                "--header cannot be '\(name)'", hint: "write a name such as Authorization",
                path: input.path)
        }
        _ = try input.parsed("expires", as: "a time such as 12h, 30d or never") {
            DurationText(parsing: $0)
        }
        // The configuration means results of jobs by that name.
        expires = input.isFlag("expires") ? input.value("expires") : nil
    }

    func run(in context: CommandContext) async throws(Failure) -> ExitCode {
        if let client = try state.server?.client(in: context, style) {
            for address in addresses {
                tell(
                    try client.proxyURL(of: address.text, headers: headers, expires: expires),
                    address, in: context)
            }
            return .success
        }
        let base = try base()
        let places = try state.places(in: context)
        try places.makeHome()
        let key = try ProxyKey.open(home: places.home)
        let seconds = expires.flatMap { DurationText(parsing: $0)?.seconds }
        let end = seconds.map { Int64((context.wallClock() + $0).rounded(.up)) }
        for address in addresses {
            let signed = ProxyAddress(url: address.text, headers: headers, expiresAt: end)
            tell(base + (try signed.checkedPath(key)), address, in: context)
        }
        return .success
    }

    /// - Throws: With 64 for a Unix socket, which no player can name.
    private func base() throws(Failure) -> String {
        if let url = server.publicURL { return url }
        guard case .unix = server.listen else { return server.listen.url }
        throw Failure(
            UsageError(
                "players cannot reach a server by its Unix socket",
                hint: "give --public-url, the address by which they reach it",
                path: ["proxy-url"]))
    }

    private func tell(_ url: String, _ address: AddressArgument, in context: CommandContext) {
        guard style.isJSON else { return context.print(url) }
        context.print(["type": "proxy", "source": .text(address.shown), "url": .text(url)])
    }
}
