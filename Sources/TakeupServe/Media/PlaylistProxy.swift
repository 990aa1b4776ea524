internal import Foundation
internal import TakeupCurl
internal import TakeupDigest
internal import TakeupFetch
package import TakeupHTTP
internal import TakeupModel

/// Serves HLS playlists of origins, with addresses that lead through the proxy.
package final class PlaylistProxy: Sendable {
    static let contentType = "application/vnd.apple.mpegurl"
    /// Parameters by which a player asks for a later state of a live playlist, or for what is new in it.
    ///
    /// - Note: Source: draft-pantos-hls-rfc8216bis, 6.2.5.
    static let directives = ["_HLS_msn", "_HLS_part", "_HLS_skip"]
    private static let mostBytes = 8 << 20
    private static let keptPlaylists = 32
    private static let keptBytes = 64 << 20
    /// Of all playlists together that come, are rewritten, are kept or are sent.
    private static let mostHeldBytes = 128 << 20
    /// Seconds for which a playlist that has ended is kept.
    private static let endedSeconds = 60
    /// Target duration of a live playlist that tells none, in seconds; the longest that counts.
    private static let (assumedSeconds, longestSeconds) = (1.0, 60.0)

    /// What one answer depends on: nobody ever sees a playlist that other fields have opened.
    private struct Question: Hashable, Sendable {
        var address: ProxyAddress
        var values: [String]
        var directives: [String]
        var base: String
    }

    /// A rewritten playlist, which counts as held while it is kept or sent.
    private final class Answer: BodySource {
        let bytes: [UInt8]
        let tag: String
        let isLive: Bool
        private let charge: ByteBudget.Charge

        init(_ rewritten: PlaylistRewriter.Rewritten, tag: String, _ charge: ByteBudget.Charge) {
            (bytes, isLive) = (rewritten.bytes, rewritten.isLive)
            (self.tag, self.charge) = (tag, charge)
        }

        func read(
            into buffer: UnsafeMutableRawBufferPointer, at offset: Int64, isAbandoned: () -> Bool
        ) -> Int {
            let part = bytes[min(Int(offset), bytes.count)...].prefix(buffer.count)
            buffer.copyBytes(from: part)
            return part.count
        }

        func close() {}
    }

    private let fetch: DocumentFetch
    private let key: ProxyKey
    private let now: @Sendable () -> Double
    private let kept: PlaylistKeep<Question, Result<Answer, Refusal>>
    private let budget: ByteBudget

    package convenience init(_ tools: ServeTools, key: ProxyKey) {
        self.init(tools.sources, key: key, now: tools.now)
    }

    init(
        _ sources: SourceLibrary, key: ProxyKey, mostHeldBytes: Int = mostHeldBytes,
        now: @escaping @Sendable () -> Double
    ) {
        (fetch, self.key, self.now) = (DocumentFetch(sources), key, now)
        let kept = PlaylistKeep<Question, Result<Answer, Refusal>>(
            values: Self.keptPlaylists, bytes: Self.keptBytes, now: now)
        self.kept = kept
        budget = ByteBudget(most: mostHeldBytes) { kept.drop() }
    }

    /// Number of playlists that are kept or being fetched.
    var count: Int { kept.count }
    /// Bytes of all playlists that are held now, and the most that ever were.
    var heldBytes: (now: Int, most: Int) { budget.held }

    /// Answers with a playlist; blocks while it is fetched.
    ///
    /// - Parameters:
    ///   - request: Its fields go on to the origin as far as the address allows it.
    ///   - address: Where the playlist is.
    ///   - base: What precedes the paths of new addresses, such as `https://media.example.com`; may be empty.
    /// - Returns: The playlist, or why there is none.
    package func answer(
        _ request: RoutedRequest, _ address: ProxyAddress, base: String
    ) -> RequestPlan {
        do throws(Refusal) {
            let question = try question(request, address, base)
            let found = kept.value(question, isAbandoned: request.http.isAbandoned) {
                make(question)
            }
            guard let found else { throw Refusal(FetchError.cancelled) }
            return .answer(Self.response(try found.get(), to: request.http, address))
        } catch {
            return .answer(error.response(to: request.http))
        }
    }

    private func question(
        _ request: RoutedRequest, _ address: ProxyAddress, _ base: String
    ) throws(Refusal) -> Question {
        let values = address.headers.map { name in
            ProxyAddress.permits(header: name)
                ? request.http.fields.values(name).joined(separator: ", ") : ""
        }
        var directives: [String] = []
        for name in Self.directives {
            guard let value = request.query.first(where: { $0.name == name })?.value else {
                continue
            }
            let isWord = value.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
            }
            guard isWord, !value.isEmpty, value.utf8.count <= 20 else {
                throw Refusal(
                    400,
                    .request("invalidQuery", "\(name) is neither a whole number nor a word"))
            }
            directives.append("\(name)=\(value)")
        }
        return Question(address: address, values: values, directives: directives, base: base)
    }

    private static func response(
        _ answer: Answer, to request: HTTPRequest, _ address: ProxyAddress
    ) -> HTTPResponse {
        let cached = answer.isLive ? "private, no-cache" : "private, max-age=\(endedSeconds)"
        let isKnown = ContentTag.matches(answer.tag, request.fields)
        var response = HTTPResponse(
            isKnown ? 304 : 200,
            [
                ("Content-Type", contentType), ("ETag", answer.tag), ("Cache-Control", cached),
                ("X-Content-Type-Options", "nosniff"),
            ], body: .stream(answer, length: Int64(answer.bytes.count)))
        if !address.headers.isEmpty {
            response.fields.set("Vary", address.headers.joined(separator: ", "))
        }
        return response
    }
}

extension PlaylistProxy {
    private typealias Made = PlaylistKeep<Question, Result<Answer, Refusal>>.Made

    /// Fetches and rewrites.
    private func make(_ question: Question) -> Made {
        do throws(Refusal) {
            let (coming, going) = (budget.charge(), budget.charge())
            let document = try document(question, coming)
            let arrived = now()
            let rewritten = try withExtendedLifetime(coming) { () throws(Refusal) in
                try rewrite(document, question, going)
            }
            let answer = Answer(rewritten, tag: tag(of: rewritten.bytes), going)
            let target = min(rewritten.targetSeconds ?? Self.assumedSeconds, Self.longestSeconds)
            let seconds = rewritten.isLive ? max(0, target) / 2 : Double(Self.endedSeconds)
            // Who names a later state asks another question, and gets that state.
            return Made(
                value: .success(answer), bytes: answer.bytes.count, until: arrived + seconds)
        } catch {
            return Made(value: .failure(error), bytes: 0, until: nil)
        }
    }

    private func tag(of bytes: [UInt8]) -> String {
        "\"\(RunningDigest.digits(key.signature(of: bytes).prefix(16)))\""
    }

    private func document(
        _ question: Question, _ charge: ByteBudget.Charge
    ) throws(Refusal) -> DocumentFetch.Document {
        let address = question.address
        let fields = zip(address.headers, question.values).filter { !$0.1.isEmpty }
            .map { TransferRequest.Field($0.0, $0.1) }
        var url = address.url
        if !question.directives.isEmpty {
            url = String(url.prefix { $0 != "#" })
            url += (url.contains("?") ? "&" : "?") + question.directives.joined(separator: "&")
        }
        do throws(FetchError) {
            return try fetch.document(
                at: try Self.parsed(url), fields: fields, limitBytes: Self.mostBytes
            ) { charge.add($0) }
        } catch {
            if case .tooLarge(_, let shown) = error { throw Self.tooLarge(shown) }
            if case .storage(_, ENOMEM) = error { throw Self.tooMany }
            throw Refusal(error)
        }
    }

    private static func parsed(_ text: String) throws(FetchError) -> WebAddress {
        do throws(CurlError) {
            return try WebAddress(text)
        } catch {
            throw .denied("\(error)", address: error.subject)
        }
    }

    private func rewrite(
        _ document: DocumentFetch.Document, _ question: Question, _ charge: ByteBudget.Charge
    ) throws(Refusal) -> PlaylistRewriter.Rewritten {
        var child = question.address
        var limits = PlaylistRewriter.Limits()
        limits.admits = { charge.add($0) }
        do throws(PlaylistRewriter.Fault) {
            return try PlaylistRewriter.rewrite(
                document.bytes, from: document.address, limits: limits
            ) { url, _ in
                child.url = url
                let path = child.path(key)
                // No request could name it: the player asks the origin.
                return path.utf8.count <= ProxyAddress.mostPathBytes ? question.base + path : url
            }
        } catch {
            switch error {
            case .notPlaylist:
                throw Refusal(
                    502,
                    .request(
                        "notPlaylist",
                        "what came from \(document.address.redacted) is no HLS playlist",
                        hint: "check the address; a page instead often asks for a login", .notMedia)
                )
            case .tooLarge: throw Self.tooLarge(document.address.redacted)
            case .noRoom: throw Self.tooMany
            }
        }
    }

    private static var tooMany: Refusal {
        Refusal(
            503,
            .request(
                "tooManyPlaylists", "the server holds as many bytes of playlists as it may",
                hint: "try again", Failure.Ending(.temporary, .retry)))
    }

    private static func tooLarge(_ address: String) -> Refusal {
        Refusal(
            502,
            .request(
                "playlistTooLarge", "the playlist at \(address) is larger than the limit",
                hint: "at most 8 MB, 200,000 lines and 100,000 addresses", .notMedia))
    }
}
