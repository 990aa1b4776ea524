internal import TakeupCurl
internal import TakeupFetch
internal import TakeupIntake
internal import TakeupModel

/// Addresses whose bytes are wanted before anybody reads them.
struct PreloadList: Sendable {
    enum ItemState: String, Sendable {
        case waiting, fetching, done, partial, failed
    }

    struct Item: Sendable {
        let address: String
        var state = ItemState.waiting
        /// Names the reason why there is not everything; nil where there is.
        var code: String?
        var message: String?

        mutating func end(_ state: ItemState, _ code: String? = nil, _ message: String? = nil) {
            (self.state, self.code, self.message) = (state, code, message)
        }
    }

    static let mostAddresses = 1000
    /// Says what to do about a playlist.
    static let playlistHint =
        "preload the files that the playlist lists; a player fetches the playlist again each time"

    var items: [Item]
    /// The wanted bytes of each; nil for all.
    let range: Range<Int64>?
    var isCancelled = false
    let createdAt: Double
    /// Seconds since 1970; nil while there is something to do.
    var endedAt: Double?

    /// Reads a request.
    ///
    /// - Throws: For what it does not understand.
    init(parsing bytes: [UInt8], now: Double) throws(Refusal) {
        let fields = try Refusal.reading { () throws(BatchFault) in
            let fields = try JSONFields(
                parsing: bytes, known: ["url", "urls", "range", "bytes", "next"])
            return (
                url: try fields.text("url"), urls: try fields.texts("urls"),
                range: try fields.text("range"), bytes: try fields.number("bytes"),
                next: try fields.number("next")
            )
        }
        guard (fields.url == nil) != (fields.urls == nil) else {
            throw Self.refusal(
                "a preload needs either 'url' or 'urls'", hint: "give one of the two")
        }
        var addresses = fields.urls ?? [fields.url ?? ""]
        if let next = fields.next {
            addresses = Array(addresses.prefix(try Self.count(next, "next")))
        }
        guard !addresses.isEmpty, addresses.count <= Self.mostAddresses else {
            throw Self.refusal(
                "\(addresses.count) addresses are not possible",
                hint: "give 1 to \(Self.mostAddresses)")
        }
        range = try Self.range(fields.range, fields.bytes)
        items = addresses.map { Item(address: $0) }
        if let item = items.first(where: { PlaylistName.isOne($0.address) }) {
            throw Refusal(
                400,
                .request(
                    "playlist", "\(item.shown) is a playlist, and a preload fetches files",
                    hint: Self.playlistHint))
        }
        createdAt = now
    }

    private static func range(
        _ text: String?, _ bytes: Double?
    ) throws(Refusal) -> Range<Int64>? {
        guard text == nil || bytes == nil else {
            throw refusal("'range' and 'bytes' exclude each other", hint: "give one of the two")
        }
        if let bytes { return 0..<Int64(try count(bytes, "bytes")) }
        guard let text else { return nil }
        let ends = text.split(separator: "-", omittingEmptySubsequences: false)
        let isPlain = ends.allSatisfy { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
        guard ends.count == 2, isPlain, let first = Int64(ends[0]), let last = Int64(ends[1]),
            first <= last, last < 1 << 53
        else {
            throw refusal(
                "\(QuotedWord(text)) is no range",
                hint: "give the first and the last byte, such as 0-1048575")
        }
        return first..<last + 1
    }

    private static func count(_ number: Double, _ name: String) throws(Refusal) -> Int {
        guard let count = Int(exactly: number), (1...1 << 53).contains(count) else {
            throw refusal("'\(name)' cannot be \(number)", hint: "give a whole number from 1 on")
        }
        return count
    }

    private static func refusal(_ message: String, hint: String) -> Refusal {
        Refusal(400, .request("invalidPreload", message, hint: hint))
    }

    var state: String {
        if isCancelled { return "cancelled" }
        if endedAt != nil { return "done" }
        return items.allSatisfy { $0.state == .waiting } ? "waiting" : "fetching"
    }

    func json(id: String) -> JSONValue {
        [
            "id": .text(id), "state": .text(state),
            "createdAt": .text(optional: Timestamp.iso(createdAt)),
            "endedAt": .text(optional: endedAt.flatMap { Timestamp.iso($0) }),
            "items": .list(items.map(\.json)),
        ]
    }
}

extension PreloadList.Item {
    fileprivate var json: JSONValue {
        [
            "url": .text(shown), "state": .text(state.rawValue),
            "code": .text(optional: code), "reason": .text(optional: message),
        ]
    }

    /// Without what may be secret in it.
    fileprivate var shown: String {
        do throws(CurlError) {
            return try WebAddress(address).redacted
        } catch {
            return error.subject
        }
    }
}
