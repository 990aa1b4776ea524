import TakeupHTTP
import TakeupIntake

/// The options of `serve` besides those of its worker.
struct ServeOptions: Sendable {
    static let specifications = [
        listenOption,
        ServerOptions.tokenFile,
        OptionSpecification(
            name: "allow-path", valueName: "DIR", environment: "TAKEUP_ALLOW_PATH",
            isRepeatable: true, completion: .directory,
            help: "Jobs over HTTP may read and write below DIR; else no path at all"),
        OptionSpecification(
            name: "allow-host", valueName: "NAME", environment: "TAKEUP_ALLOW_HOST",
            isRepeatable: true, help: "Answer to this name in a request's Host, too"),
        publicURLOption,
        OptionSpecification(
            name: "upload-limit", valueName: "SIZE", environment: "TAKEUP_UPLOAD_LIMIT",
            defaultValue: "20GB", accepts: { ByteSize(parsing: $0) != nil },
            help: "The largest file that may be uploaded"),
        OptionSpecification(
            name: "no-workers", environment: "TAKEUP_NO_WORKERS",
            help: "Do no jobs here: 'takeup worker' does them elsewhere"),
    ]

    static let listenOption = OptionSpecification(
        name: "listen", valueName: "ADDRESS", environment: "TAKEUP_LISTEN",
        defaultValue: "127.0.0.1:8080", accepts: { HTTPServer.Address(parsing: $0) != nil },
        help: "Where to listen: HOST:PORT, or unix:PATH; port 0 takes a free one")

    static let publicURLOption = OptionSpecification(
        name: "public-url", valueName: "URL", environment: "TAKEUP_PUBLIC_URL",
        accepts: { publicURL($0) != nil },
        help: "What clients call the server, such as https://media.example.com")

    let listen: HTTPServer.Address
    /// As they were given.
    let tokenFile: String?
    let allowedPaths: [String]
    let allowedHosts: [String]
    let publicURL: String?
    let uploadBytes: Int64?
    let worksHere: Bool

    init(_ input: CommandInput) throws(UsageError) {
        let listen = try input.parsed(
            "listen", as: HTTPServer.Address.form,
            HTTPServer.Address.init(parsing:))
        self.listen = listen ?? .tcp(host: "127.0.0.1", port: 8080)
        tokenFile = input.value("token-file")
        allowedPaths = Self.list(input, "allow-path", separator: ":")
        allowedHosts = Self.list(input, "allow-host", separator: ",")
        publicURL = try input.parsed(
            "public-url", as: "an address without a path, such as https://media.example.com",
            Self.publicURL)
        uploadBytes = try input.parsed("upload-limit", as: "a size such as 20GB") {
            ByteSize(parsing: $0)?.bytes
        }
        worksHere = !input.isOn("no-workers")
    }

    /// The environment has one text for a list.
    private static func list(
        _ input: CommandInput, _ option: String, separator: Character
    ) -> [String] {
        guard let setting = input.settings.setting(option) else { return [] }
        guard case .environment = setting.origin else { return setting.values }
        return setting.values.flatMap { $0.split(separator: separator).map(String.init) }
    }

    /// Without the slash at its end.
    private static func publicURL(_ text: String) -> String? {
        guard let scheme = ["http://", "https://"].first(where: text.lowercased().hasPrefix)
        else { return nil }
        var host = text.dropFirst(scheme.count)
        if host.hasSuffix("/") { host = host.dropLast() }
        guard !host.isEmpty, !host.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x7F }),
            !host.contains(where: { "/?#@\\".contains($0) })
        else { return nil }
        return scheme + host
    }
}
