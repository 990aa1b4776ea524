import TakeupCurl
import TakeupFetch
import TakeupFields
import Testing

/// One origin's behaviour and the verdict on it, as a line of docs/ORIGINS.md.
struct JudgeRow: CustomTestStringConvertible, Sendable {
    let behaviour: String
    private(set) var question: OriginQuestion
    let head: ResponseHead
    /// As `summary(of:)` writes it.
    let verdict: String

    var testDescription: String { behaviour }

    /// `known` is the version that is here, nil before the first answer; fields are written
    /// `name: value`.
    init(
        _ behaviour: String, asked offset: Int64 = 0, count: Int64? = nil,
        known: EntityVersion? = nil,
        _ answer: (status: Int, fields: [String]), _ verdict: String
    ) {
        self.behaviour = behaviour
        question = OriginQuestion(
            offset: offset, count: count, version: known, address: Self.address)
        head = Self.head(answer.status, answer.fields)
        self.verdict = verdict
    }

    /// The same, when only another version than the known one was asked for.
    var conditional: JudgeRow {
        var row = self
        row.question.isConditional = true
        return row
    }

    /// The same, when the whole object was requested.
    var whole: JudgeRow {
        var row = self
        row.question.isRanged = false
        return row
    }

    static let address = "https://cdn.example/a.mp4"
    /// Sat, 21 Nov 2026 12:00:00 GMT.
    static let now = HTTPDate(secondsSince1970: 1_795_262_400)
    static let date = "date: Sat, 21 Nov 2026 12:00:00 GMT"
    static let modified = "last-modified: Fri, 20 Nov 2026 10:00:00 GMT"

    /// 1000 bytes under the strong tag `"a"`.
    static let tagged = version([#"etag: "a""#])
    /// 1000 bytes under a weak tag.
    static let weak = version([#"etag: W/"a""#])
    /// 1000 bytes with a strong date.
    static let dated = version([date, modified])
    /// 1000 bytes with a strong tag and a strong date.
    static let full = version([date, modified, #"etag: "a""#])
    /// 1000 bytes, and nothing else is known.
    static let bare = version([])
    /// Not even a length.
    static let nothing = EntityVersion()

    static func version(_ fields: [String], length: Int64? = 1000) -> EntityVersion {
        EntityVersion(head(200, fields), length: length, now: now)
    }

    static func head(_ status: Int, _ fields: [String]) -> ResponseHead {
        ResponseHead(
            status: status,
            fields: fields.map { field in
                let parts = field.split(
                    separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                return .init(name: String(parts[0]), value: String(parts[1].drop { $0 == " " }))
            })
    }

    /// A verdict in few words.
    static func summary(of verdict: OriginVerdict) -> String {
        func place(_ body: OriginBody) -> String {
            let numbers = [body.count, body.version.length].map { $0.map(String.init) ?? "?" }
            return "\(body.start)+\(numbers[0]) of \(numbers[1])"
        }
        return switch verdict {
        case .store(let body): "store \(place(body))"
        case .startOver(let body): "startOver \(place(body))"
        case .changed: "changed"
        case .unchanged: "unchanged"
        case .atEnd(let length): "atEnd \(length)"
        case .askWhole: "askWhole"
        case .redirect(let text): "redirect \(text)"
        case .retry(let seconds, _): "retry \(seconds.map(String.init) ?? "soon")"
        case .refuse(let error): "refuse \(word(error))"
        }
    }

    private static func word(_ error: FetchError) -> String {
        switch error {
        case .status(let status, _): "status \(status)"
        case .invalidResponse: "invalidResponse"
        case .changed: "changed"
        case .notMedia: "notMedia"
        case .checksumMismatch: "checksumMismatch"
        case .unsupported: "unsupported"
        case .expired: "expired"
        case .denied: "denied"
        case .tooLarge: "tooLarge"
        case .unreachable: "unreachable"
        case .storage: "storage"
        case .cancelled: "cancelled"
        }
    }
}
