internal import Foundation
internal import TakeupDigest
internal import TakeupFiles
internal import TakeupHTTP
internal import TakeupLanes
internal import TakeupModel

/// Answers a request that comes twice as the first time, also after a restart.
///
/// - Note: Source: draft-ietf-httpapi-idempotency-key-header.
final class IdempotencyKeys: Sendable {
    /// Seconds for which an answer is kept.
    static let seconds = 86_400.0
    private static let longestKey = 255
    /// Bytes of a stored answer.
    private static let longestAnswer = 256 << 20

    /// A key as one caller gave it.
    struct Name: Sendable, Equatable {
        let caller: String
        let key: String
        /// What was asked for with it, besides the body.
        let target: String

        fileprivate var fileName: String { "\(SHA256Digest.of("\(caller)\n\(key)")).json" }
    }

    private struct Answer: Codable {
        let request: String
        let status: Int
        let location: String?
        let body: String
    }

    private let kept: KeptFolder
    private let running = Locked<Set<String>>([])

    init(folder: String) { kept = KeptFolder(folder) }

    private var folder: String { kept.path }

    /// Reads a request's key.
    ///
    /// - Returns: nil for a request without one.
    /// - Throws: For several keys, and for one that is neither a token nor a quoted string.
    static func name(of request: RoutedRequest) throws(Refusal) -> Name? {
        let values = request.http.fields.values("Idempotency-Key")
        guard !values.isEmpty else { return nil }
        guard values.count == 1, let key = key(values[0]) else {
            throw Refusal(
                400,
                .request(
                    "invalidKey", "the Idempotency-Key cannot be used",
                    hint: "send one token or quoted string of at most \(longestKey) bytes"))
        }
        return Name(
            caller: request.caller, key: key,
            target: "\(request.http.method) \(request.http.target)")
    }

    /// The text of a token or of a quoted string.
    static func key(_ value: String) -> String? {
        var text = Array(value.utf8)[...]
        while text.first == 0x20 || text.first == 0x09 { text.removeFirst() }
        while text.last == 0x20 || text.last == 0x09 { text.removeLast() }
        guard (1...longestKey).contains(text.count) else { return nil }
        guard text.first == UInt8(ascii: "\"") else {
            let isToken = text.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: "!#$%&'*+-.^_`|~:/".utf8.contains(byte)
                }
            }
            return isToken ? String(decoding: text, as: UTF8.self) : nil
        }
        guard text.count > 2, text.last == UInt8(ascii: "\"") else { return nil }
        var inner = text.dropFirst().dropLast()
        var key: [UInt8] = []
        while let byte = inner.popFirst() {
            switch byte {
            case UInt8(ascii: "\\"):
                guard let next = inner.popFirst(), next == 0x22 || next == 0x5C else { return nil }
                key.append(next)
            case 0x20...0x21, 0x23...0x5B, 0x5D...0x7E: key.append(byte)
            default: return nil
            }
        }
        return String(decoding: key, as: UTF8.self)
    }

    /// Does something once for a key; a success is stored before it is answered.
    ///
    /// - Throws: With 422 for another body under the same key, with 409 while the first request goes on, with 503 where
    ///   a stored answer cannot be read: the request may have been done.
    func once(
        _ name: Name, _ body: [UInt8], _ act: () throws(Refusal) -> HTTPResponse
    ) throws(Refusal) -> HTTPResponse {
        let file = name.fileName
        let digest = SHA256Digest.of("\(name.target)\n\(String(decoding: body, as: UTF8.self))")
        guard running.withLock({ $0.insert(file).inserted }) else {
            throw Refusal(
                409,
                .request(
                    "requestRunning", "a request with this Idempotency-Key is being done",
                    hint: "wait for its answer, or send it again a little later",
                    Failure.Ending(.temporary, .retry)),
                [("Retry-After", "1")])
        }
        defer { running.withLock { _ = $0.remove(file) } }
        if let known = try answer(file) {
            guard known.request == digest else {
                throw Refusal(
                    422,
                    .request(
                        "keyReused", "this Idempotency-Key was used for another request",
                        hint: "give each request a key of its own"))
            }
            var response = HTTPResponse.json(text: known.body, status: known.status)
            if let location = known.location { response.fields.set("Location", location) }
            return response
        }
        // What the answer needs is opened before anything is done: one that cannot be stored is done again.
        let partial = try prepare(file)
        let response = try act()
        guard (200..<300).contains(response.status), case .bytes(let bytes) = response.body else {
            return response
        }
        try store(
            Answer(
                request: digest, status: response.status, location: response.fields["Location"],
                body: String(decoding: bytes, as: UTF8.self)), in: partial)
        return response
    }

    /// - Returns: nil where no answer is stored.
    private func answer(_ file: String) throws(Refusal) -> Answer? {
        let path = "\(folder)/\(file)"
        let bytes = try Refusal.reading { () throws(FileError) in
            try Folder.bytes(of: path, most: Self.longestAnswer)
        }
        guard let bytes else {
            try kept.requirePlace()
            return nil
        }
        guard let answer = try? JSONDecoder().decode(Answer.self, from: Data(bytes)) else {
            throw Refusal(reading: .failed(path, errno: EIO))
        }
        return answer
    }

    private func prepare(_ file: String) throws(Refusal) -> PartialFile {
        do throws(FileError) {
            return try PartialFile(for: "\(folder)/\(file)", mode: 0o600)
        } catch {
            throw Refusal(error)
        }
    }

    private func store(_ answer: Answer, in partial: PartialFile) throws(Refusal) {
        guard let bytes = try? JSONEncoder().encode(answer) else { return }
        do throws(FileError) {
            try partial.write(Array(bytes))
            try partial.synchronize()
            _ = try partial.publish(.replace)
        } catch {
            throw Refusal(error)
        }
    }

    /// Removes what is too old to be asked for.
    ///
    /// - Parameter now: Seconds since 1970.
    func expire(now: Double) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names {
            var facts = stat()
            guard lstat("\(folder)/\(name)", &facts) == 0,
                now - Double(facts.st_mtim.tv_sec) > Self.seconds
            else { continue }
            unlink("\(folder)/\(name)")
        }
    }
}
