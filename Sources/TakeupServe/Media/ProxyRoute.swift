internal import TakeupCurl
internal import TakeupFetch
internal import TakeupHTTP
internal import TakeupIntake
internal import TakeupModel

/// Makes proxy addresses, and answers for them with the bytes of their sources.
struct ProxyRoute: Sendable {
    private static let mostBytes = 100_000
    /// A source that changes so often while it is asked for is not served.
    private static let mostVersions = 4

    private let tools: ServeTools
    private let key: ProxyKey
    private let keeper: LoaderKeeper
    private let playlists: PlaylistProxy
    private let figures: MediaFigures

    init(_ tools: ServeTools, key: ProxyKey, figures: MediaFigures) {
        (self.tools, self.key, self.figures) = (tools, key, figures)
        keeper = tools.desk.loaders
        playlists = PlaylistProxy(tools, key: key)
    }

    // MARK: - Addresses

    func sign(_ request: RoutedRequest) -> RequestPlan {
        request.collect(upTo: Self.mostBytes) { bytes throws(Refusal) in
            let fields = try Refusal.reading { () throws(BatchFault) in
                let fields = try JSONFields(parsing: bytes, known: ["url", "headers", "expires"])
                return (
                    url: try fields.text("url"), headers: try fields.texts("headers") ?? [],
                    expires: try fields.text("expires")
                )
            }
            guard let url = fields.url else {
                throw Refusal(
                    400,
                    .request(
                        "missingMember", "the member 'url' is missing", hint: "give an address"))
            }
            try Refusal.requirePermitted(url, by: tools.sources)
            let address = ProxyAddress(
                url: url, headers: try Self.names(fields.headers),
                expiresAt: try expiry(fields.expires))
            let path = try Refusal.attempt { () throws(Failure) in try address.checkedPath(key) }
            return .json(["url": .text(try publicBase(request.http) + path)])
        }
    }

    private static func names(_ names: [String]) throws(Refusal) -> [String] {
        if let name = names.first(where: { !ProxyAddress.permits(header: $0) }) {
            throw Refusal(
                400,
                .request(
                    "headerNotPassed", "the field \(QuotedWord(name)) is never passed on",
                    hint: "give names such as Authorization"))
        }
        let names = Set(names.map { $0.lowercased() }).sorted()
        guard names.count <= ProxyAddress.mostHeaders else {
            throw Refusal(
                400,
                .request(
                    "tooManyHeaders", "\(names.count) names of fields are too many",
                    hint: "give \(ProxyAddress.mostHeaders) at most"))
        }
        return names
    }

    /// - Returns: Seconds since 1970; nil for an address that is valid as long as its key.
    private func expiry(_ text: String?) throws(Refusal) -> Int64? {
        guard let text else { return nil }
        guard let duration = DurationText(parsing: text) else {
            throw Refusal(
                400,
                .request(
                    "invalidDuration", "\(QuotedWord(text)) is no duration",
                    hint: "give one such as 2h, 30d or never"))
        }
        return duration.seconds.map { Int64((tools.wallClock() + $0).rounded(.up)) }
    }

    /// What precedes the paths of new addresses; nil if nobody knows: a client of the Unix socket names no server.
    private func base(_ request: HTTPRequest) -> String? {
        if let url = tools.settings.publicURL {
            return url.hasSuffix("/") ? String(url.dropLast()) : url
        }
        let host = request.fields["Host"] ?? ""
        guard !request.peer.isEmpty || !["", "localhost"].contains(host) else { return nil }
        return "http://\(host)"
    }

    private func publicBase(_ request: HTTPRequest) throws(Refusal) -> String {
        guard let base = base(request) else {
            throw Refusal(
                400,
                .request(
                    "publicURLMissing",
                    "players cannot reach the server by its Unix socket, and it knows no other address",
                    hint: "start the server with its public URL"))
        }
        return base
    }

    // MARK: - Bytes

    /// What a browser may ask for from a page of another site.
    func preflight(_ request: RoutedRequest) -> RequestPlan {
        // One that is not valid is told so when it is asked for.
        .answer(ForeignSites.preflight(passed: (try? address(request))?.headers ?? []))
    }

    func fetch(_ request: RoutedRequest) -> RequestPlan {
        .answer(ForeignSites.admit(response(to: request)))
    }

    private func response(to request: RoutedRequest) -> HTTPResponse {
        let http = request.http
        do throws(Refusal) {
            let address = try address(request)
            if !PlaylistName.isOne(address.url) {
                let response = try keeper.freeingFiles { () throws(Refusal) -> HTTPResponse? in
                    try self.response(to: http, address)
                }
                if let response { return response }
            }
            // Without a name, paths alone: they lead to wherever the client has got the playlist from.
            return playlists.answer(request, address, base: base(http) ?? "")
        } catch {
            figures.note(.proxy, .error)
            return error.response(to: http)
        }
    }

    private func address(_ request: RoutedRequest) throws(Refusal) -> ProxyAddress {
        let parts = request.parameter("address").split(
            separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let address = try Refusal.attempt { () throws(Failure) in
            try ProxyAddress(token: String(parts[0]), key, now: tools.wallClock())
        }
        // What a document names relative to itself is not the document.
        guard parts.count == 1 || parts[1] == address.name else {
            throw .notFound(
                "file '\(parts[1].prefix(64))' behind this proxy address",
                hint: "what a playlist or a manifest names beside itself needs its own address")
        }
        return address
    }

    /// - Returns: nil for a playlist.
    private func response(
        to http: HTTPRequest, _ address: ProxyAddress
    ) throws(Refusal) -> HTTPResponse? {
        let fields = address.headers.filter(ProxyAddress.permits).compactMap { name in
            let values = http.fields.values(name)
            return values.isEmpty
                ? nil : TransferRequest.Field(name, values.joined(separator: ", "))
        }
        let loader = try Refusal.fetching { () throws(FetchError) in
            try tools.sources.loader(for: address.url, sending: fields)
        }
        for _ in 0..<Self.mostVersions {
            let before = loader.holdings
            guard let facts = try facts(of: loader, http) else { return nil }
            let asked = ProxyQuestion(
                http, before: before, now: loader.holdings, facts, key: loader.key,
                passed: address.headers, wallClock: tools.wallClock())
            let response = try Refusal.fetching { () throws(FetchError) in
                try self.response(asked, loader, http)
            }
            if let response { return response }
        }
        throw Refusal(FetchError.changed(address: loader.address))
    }

    /// - Returns: nil for a playlist.
    private func facts(
        of loader: ResourceLoader, _ http: HTTPRequest
    ) throws(Refusal) -> ContentInformation? {
        do throws(FetchError) {
            let facts = try loader.information(isStopped: http.isAbandoned)
            let type = facts.contentType?.lowercased() ?? ""
            return facts.signature == .playlist || type.hasSuffix("mpegurl") ? nil : facts
        } catch {
            // One that is no media of its own, or that is protected.
            if case .unsupported = error { return nil }
            throw Refusal(error)
        }
    }

    /// - Returns: nil if the source has changed meanwhile.
    private func response(
        _ asked: ProxyQuestion, _ loader: ResourceLoader, _ http: HTTPRequest
    ) throws(FetchError) -> HTTPResponse? {
        guard let start = asked.start else {
            keeper.keep(loader)
            figures.note(.proxy, asked.result)
            return asked.answer.response { _ in .none }
        }
        let reading = try ProxyReading(
            loader, at: start, held: asked.held, figures: figures, isAbandoned: http.isAbandoned
        ) { [keeper] in keeper.keep(loader) }
        guard loader.holdings.generation == asked.generation else { return nil }
        figures.note(.proxy, asked.result)
        var response = asked.answer.response(reading.body)
        // The store may have refused the first bytes, after the facts were known.
        response.fields.set(
            "Cache-Status", asked.status(loader.holdings))
        return response
    }
}
