internal import TakeupCurl
internal import TakeupDigest
internal import TakeupLanes

/// Writes a file of any size to an object: at once, or in parts at the same time.
///
/// Every request carries the hash of its bytes, which the server checks, and what the server answers is compared with
/// it. The object appears complete or not at all.
public struct S3Upload: Sendable {
    /// Larger files go in parts of at least this size, in bytes.
    public static let leastPart: Int64 = 16 << 20
    /// - Note: Source: "Amazon S3 multipart upload limits".
    static let mostParts: Int64 = 10_000
    /// Parts that are on their way at once.
    static let parallelParts = 4

    let client: S3Client
    let object: S3Address
    let descriptor: Int32
    let bytes: Int64
    let sha256: String
    let ifAbsent: Bool

    /// Describes an upload.
    ///
    /// - Parameters:
    ///   - client: Sends it.
    ///   - object: The key that it gets.
    ///   - descriptor: The file, open for reading, which stays as it is.
    ///   - bytes: Its size.
    ///   - sha256: The hash of its content.
    ///   - ifAbsent: Whether an object that has the key stays.
    public init(
        _ client: S3Client, to object: S3Address, descriptor: Int32, bytes: Int64, sha256: String,
        ifAbsent: Bool = false
    ) {
        (self.client, self.object, self.descriptor) = (client, object, descriptor)
        (self.bytes, self.sha256, self.ifAbsent) = (bytes, sha256, ifAbsent)
    }

    /// The size of a part, in bytes, so that there are not too many.
    static func partBytes(of bytes: Int64) -> Int64 {
        let least = (bytes + mostParts - 1) / mostParts
        let whole: Int64 = 1 << 20
        return max(leastPart, (least + whole - 1) / whole * whole)
    }

    /// Uploads the file and looks at the object.
    ///
    /// - Throws: `S3Error`; `.conditionFailed` where `ifAbsent` and an object has the key; `.cancelled`. Nothing stays of
    ///   an upload that failed, unless the server is away; `unfinishedUploads` finds it then.
    public func run() throws(S3Error) {
        do throws(S3Error) {
            if bytes <= Self.leastPart {
                try writeAtOnce()
            } else {
                try writeInPartsTwice()
            }
        } catch {
            guard error.kind == .conditionFailed, ifAbsent else { throw error }
            guard let facts = try client.facts(object) else {
                // Nobody has the key: two uploads were in each other's way.
                throw failure(.serverFailed, error.operation)
            }
            // An earlier try may have succeeded without its answer.
            guard isOurs(facts) else { throw error }
            return
        }
        let facts = try client.facts(object)
        guard let facts, facts.bytes == bytes, facts.sha256 ?? sha256 == sha256 else {
            throw failure(.damaged("it has another size or content than was sent"), .write)
        }
    }

    private func isOurs(_ facts: S3ObjectFacts) -> Bool {
        facts.bytes == bytes && facts.sha256 == sha256
    }

    private var condition: [TransferRequest.Field] {
        ifAbsent ? [.init("If-None-Match", "*")] : []
    }

    /// What the object says of itself to who opens its address.
    private var description: [TransferRequest.Field] {
        let suffix = object.key.suffix(4).lowercased()
        let type =
            [".mp4", ".m4v"].contains(suffix)
            ? "video/mp4" : suffix == ".m4a" ? "audio/mp4" : "application/octet-stream"
        return [.init("Content-Type", type), .init(S3Client.hashField, sha256)]
    }

    private func writeAtOnce() throws(S3Error) {
        let sums = try sums(0, bytes)
        guard sums.sha256 == sha256 else {
            throw failure(.damaged("the file on this machine changed"), .write)
        }
        var request = S3Request(operation: .write, method: "PUT", address: object)
        request.fields = condition + description
        request.body = .file(
            .init(descriptor: descriptor, offset: 0, count: bytes), sha256: sha256,
            md5: sums.md5.flatMap(Base64.ofDigits))
        _ = try send(request, sums.md5)
    }

    /// Begins once more where somebody, such as a clean-up of old uploads, ended the first upload.
    private func writeInPartsTwice() throws(S3Error) {
        do throws(S3Error) {
            try writeInParts()
        } catch {
            guard error.kind == .noObject, error.operation.isUpload else { throw error }
            try writeInParts()
        }
    }

    private func writeInParts() throws(S3Error) {
        let id = try begin()
        do throws(S3Error) {
            let parts = try sendParts(id)
            try complete(id, parts)
        } catch {
            abort(id)
            throw error
        }
    }

    private func begin() throws(S3Error) -> String {
        var request = S3Request(operation: .beginUpload, method: "POST", address: object)
        request.query = [("uploads", "")]
        request.fields = description
        request.body = .bytes([])
        let (_, document) = try client.document(request, "InitiateMultipartUpload")
        guard let id = document.text(of: "UploadId"), !id.isEmpty else {
            throw failure(.invalidAnswer("the upload has no id"), .beginUpload)
        }
        return id
    }

    /// What was written of a part.
    private struct Part {
        var etag: String
        var md5: String?
    }

    private struct Progress {
        var next = 0
        var parts: [Part?]
        var error: S3Error?
    }

    private func sendParts(_ id: String) throws(S3Error) -> [Part] {
        let size = Self.partBytes(of: bytes)
        let count = Int((bytes + size - 1) / size)
        let progress = Locked(Progress(parts: Array(repeating: nil, count: count)))
        let group = LaneGroup()
        for _ in 0..<min(Self.parallelParts, count) {
            group.start("takeup.upload") {
                while let place = Self.next(progress, count) {
                    do throws(S3Error) {
                        let part = try sendPart(place, size, id)
                        progress.withLock { $0.parts[place] = part }
                    } catch {
                        progress.withLock { $0.error = $0.error ?? error }
                    }
                }
            }
        }
        group.wait()
        let (parts, error) = progress.withLock { ($0.parts.compactMap(\.self), $0.error) }
        if let error { throw error }
        return parts
    }

    private static func next(_ progress: Locked<Progress>, _ count: Int) -> Int? {
        progress.withLock { progress in
            guard progress.error == nil, progress.next < count else { return nil }
            progress.next += 1
            return progress.next - 1
        }
    }

    private func sendPart(_ place: Int, _ size: Int64, _ id: String) throws(S3Error) -> Part {
        let offset = Int64(place) * size
        let count = min(size, bytes - offset)
        let sums = try sums(offset, count)
        var request = S3Request(operation: .writePart, method: "PUT", address: object)
        request.query = [("partNumber", "\(place + 1)"), ("uploadId", id)]
        request.body = .file(
            .init(descriptor: descriptor, offset: offset, count: count), sha256: sums.sha256,
            md5: sums.md5.flatMap(Base64.ofDigits))
        let reply = try send(request, sums.md5)
        guard let etag = reply.etag, !etag.isEmpty else {
            throw failure(.invalidAnswer("a part has no ETag"), .writePart)
        }
        return Part(etag: etag, md5: sums.md5)
    }

    private func complete(_ id: String, _ parts: [Part]) throws(S3Error) {
        let list = parts.enumerated().map {
            "<Part><PartNumber>\($0.offset + 1)</PartNumber>"
                + "<ETag>&quot;\(Self.escaped($0.element.etag))&quot;</ETag></Part>"
        }
        var request = S3Request(operation: .completeUpload, method: "POST", address: object)
        request.query = [("uploadId", id)]
        request.fields = condition + [.init("Content-Type", "application/xml")]
        request.body = .bytes(
            Array(
                "<CompleteMultipartUpload>\(list.joined())</CompleteMultipartUpload>".utf8))
        request.workSeconds = 600
        do throws(S3Error) {
            let (_, document) = try client.document(request, "CompleteMultipartUpload")
            let etag = document.text(of: "ETag")?.filter { $0 != "\"" } ?? ""
            try compare(etag, parts)
        } catch {
            // An earlier try may have succeeded without its answer: the object then is what was sent.
            guard error.kind == .noObject, let facts = try client.facts(object), isOurs(facts)
            else { throw error }
        }
    }

    /// Of an upload in parts, the ETag usually is the hash of the parts' hashes.
    private func compare(_ etag: String, _ parts: [Part]) throws(S3Error) {
        let (hash, count) = (etag.prefix(32), etag.dropFirst(32))
        guard count == "-\(parts.count)", Base64.bytes(String(hash)) != nil else { return }
        var joined: [UInt8] = []
        for part in parts {
            // Where the parts' ETags are no MD5, neither is this one.
            guard let md5 = part.md5, md5 == part.etag.lowercased(), let bytes = Base64.bytes(md5)
            else { return }
            joined += bytes
        }
        guard let expected = S3Request.digest(.md5, joined) else { return }
        guard hash.lowercased() == expected else {
            throw failure(.damaged("the ETag is not the one of the parts"), .completeUpload)
        }
    }

    /// Sends a body and compares what the server has; bytes that changed on their way are sent again.
    private func send(
        _ request: S3Request, _ md5: String?
    ) throws(S3Error) -> S3Client.Reply {
        for _ in 0..<Self.sendings {
            let reply = try client.perform { request }
            if isSame(reply, md5) { return reply }
        }
        throw failure(.damaged("the server's ETag is of other bytes"), request.operation)
    }

    /// How often a body is sent whose ETag is another one.
    private static let sendings = 3

    /// Without encryption by a key of the server, the ETag of a body is its MD5.
    private func isSame(_ reply: S3Client.Reply, _ md5: String?) -> Bool {
        let isEncrypted =
            reply.head["x-amz-server-side-encryption"].map { $0 != "AES256" } ?? false
            || reply.head["x-amz-server-side-encryption-customer-algorithm"] != nil
        guard let md5, !isEncrypted, let etag = reply.etag?.lowercased(), etag.utf8.count == 32,
            Base64.bytes(etag) != nil
        else { return true }
        return etag == md5
    }

    private func abort(_ id: String) {
        // Fails where the server is away: maintenance finds the upload later.
        try? client.abort(S3UnfinishedUpload(key: object.key, id: id), in: object.bucket)
    }

    private static func escaped(_ text: String) -> String {
        String(
            text.flatMap { character -> String in
                switch character {
                case "&": "&amp;"
                case "<": "&lt;"
                case ">": "&gt;"
                default: String(character)
                }
            })
    }

    func failure(_ kind: S3Error.Kind, _ operation: S3Error.Operation) -> S3Error {
        S3Error(operation: operation, kind: kind, address: object, server: client.endpoint.name)
    }
}
