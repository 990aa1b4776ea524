internal import CFuzzer
internal import Foundation
@testable internal import TakeupCurl
internal import TakeupDigest
@testable internal import TakeupFetch
internal import TakeupFields

/// Reads any bytes as what an origin sends: the head of an answer, and what stands behind it as a body.
///
/// Each answer has one verdict that cannot lead outside of the object; each playlist that is read is within its limits.
@main
enum OriginFuzzer {
    private static let now = HTTPDate(secondsSince1970: 1_800_000_000)
    private static let address = "https://a.example/clip.mp4"

    static func main() {
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        exit(
            LLVMFuzzerRunDriver(&count, &arguments) { bytes, count in
                OriginFuzzer.tryOut([UInt8](UnsafeBufferPointer(start: bytes, count: count)))
                return 0
            })
    }

    private static func tryOut(_ bytes: [UInt8]) {
        if bytes.starts(with: "#EXTM3U".utf8) { return checkPlaylist(bytes) }
        var reader = HeadReader(limitBytes: 4096)
        var rest = bytes[...]
        while !rest.isEmpty {
            let line = rest.prefix(
                through: rest.firstIndex(of: 10) ?? rest.index(before: rest.endIndex))
            rest = rest.dropFirst(line.count)
            switch line.withUnsafeBytes({ reader.take($0) }) {
            case .more: continue
            case .complete(let head):
                check(head, body: Array(rest))
                return
            case .tooLarge:
                precondition(bytes.count > 4096, "a small head is too large")
                return
            case .malformed: return
            }
        }
    }

    private static func check(_ head: ResponseHead, body: [UInt8]) {
        precondition((200...599).contains(head.status), "an interim head is the last")
        for field in head.fields { checkField(field.value) }
        for isWhole in [false, true] {
            let stated = StatedDigests(head, isWhole: isWhole)
            for digest in stated.digests {
                precondition(
                    digest.digits.utf8.count == 2 * digest.algorithm.byteCount, "a short digest")
                precondition(!stated.disputed.contains(digest.algorithm), "stated and disputed")
            }
        }
        let judge = ResponseJudge(limitBytes: 1 << 40)
        let known = EntityVersion(head, length: 1000, now: now)
        for version in [nil, known] {
            for (offset, isConditional) in [(0, false), (500, false), (1000, false), (0, true)] {
                let question = OriginQuestion(
                    offset: Int64(offset), version: version,
                    isConditional: isConditional && version != nil, address: address)
                let verdict = judge.verdict(on: head, to: question, now: now)
                check(verdict, head, limit: judge.limitBytes)
                precondition(
                    judge.verdict(on: head, to: question, now: now) == verdict, "two verdicts")
            }
        }
        _ = MediaSignature.judge(
            Array(body.prefix(MediaSignature.prefixBytes)), contentType: head["content-type"])
    }

    private static func check(_ verdict: OriginVerdict, _ head: ResponseHead, limit: Int64) {
        switch verdict {
        case .store(let body), .startOver(let body):
            precondition([200, 203, 206].contains(head.status), "bytes of no object")
            precondition(body.start >= 0 && body.start < limit, "a start outside")
            precondition(body.count ?? 1 > 0, "a body of nothing")
            let (end, overflows) = body.start.addingReportingOverflow(body.count ?? 0)
            precondition(!overflows && end <= limit, "an end outside")
            precondition(end <= body.version.length ?? .max, "an end behind the object's")
            for received in [0, 1, body.count ?? 7] {
                _ = body.end(received: received, endedWell: received % 2 == 0)
            }
        case .atEnd(let length): precondition(length > 0, "an empty object")
        case .retry(let seconds, _): precondition((0...60).contains(seconds ?? 0), "waits for ever")
        case .redirect(let location): precondition(!location.isEmpty, "leads nowhere")
        case .changed, .unchanged, .refuse: break
        }
    }

    private static func checkField(_ text: String) {
        if case .bytes(let range, let total)? = ContentRange(text) {
            precondition(range.lowerBound >= 0 && !range.isEmpty, "a range of nothing")
            precondition(range.upperBound <= total ?? .max, "a range behind the end")
        }
        if let wish = RetryAfter(text, now: now, capSeconds: 60) {
            precondition((0...60).contains(wish.seconds), "waits for ever")
        }
        _ = HTTPDate(text, now: now)
    }

    private static func checkPlaylist(_ bytes: [UInt8]) {
        let limits = PlaylistLimits(
            bytes: 60_000, lines: 500, lineBytes: 1000, segments: 100, variants: 20)
        do throws(PlaylistError) {
            switch try PlaylistParser(limits: limits).parse(bytes) {
            case .master(let master):
                precondition(!master.variants.isEmpty, "nothing to choose")
                precondition(master.variants.count <= limits.variants, "too many variants")
                let choice = VariantChoice(
                    master, within: PictureLimit(maxWidth: 1280, maxHeight: 720, turns: true))
                precondition(
                    choice.map { master.variants.contains($0.variant) } ?? true, "a stranger")
            case .media(let media): check(media, limits)
            }
        } catch {
            precondition(!"\(error)".isEmpty, "a fault says nothing")
        }
    }

    private static func check(_ media: MediaPlaylist, _ limits: PlaylistLimits) {
        precondition((1...limits.segments).contains(media.segments.count), "too many segments")
        for segment in media.segments {
            precondition(!segment.uri.isEmpty, "a segment of nothing")
            precondition(segment.seconds.isFinite && segment.seconds >= 0, "no time")
            precondition(
                segment.bytes.map { $0.lowerBound >= 0 && !$0.isEmpty } ?? true, "no bytes")
            precondition(segment.initializationVector?.count ?? 16 == 16, "a short vector")
        }
        guard let home = try? WebAddress(address),
            let pieces = try? PlaylistPieces(media, at: home)
        else { return }
        for piece in pieces.pieces {
            precondition(
                (try? WebAddress(piece.address.text)) == piece.address, "reads differently")
        }
    }
}
