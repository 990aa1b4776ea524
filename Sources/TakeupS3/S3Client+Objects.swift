internal import Foundation
internal import TakeupCurl
internal import TakeupFields

/// What a server says of an object without sending it.
public struct S3ObjectFacts: Sendable, Equatable {
    public var bytes: Int64
    /// Without quotes; empty where the server has none.
    public var etag = ""
    /// Seconds since 1970; nil where the server does not say.
    public var modifiedAt: Int64?
    /// What the object's content had to be when it was written; nil for an object of somebody else.
    public var sha256: String?
}

extension S3Client {
    /// The field in which an object carries the hash of its content.
    static let hashField = "x-amz-meta-sha256"

    /// Looks at an object.
    ///
    /// - Returns: nil if there is none.
    /// - Throws: `S3Error`.
    public func facts(_ object: S3Address) throws(S3Error) -> S3ObjectFacts? {
        let request = S3Request(operation: .look, method: "HEAD", address: object)
        do throws(S3Error) {
            return Self.facts(try perform { request }.head)
        } catch {
            if error.kind == .noObject { return nil }
            // The answer to HEAD has no body that would say why: a listing has.
            if error.code.isEmpty, [.denied, .refused].contains(error.kind) {
                _ = try list(object.bucket, prefix: object.key, most: 1)
            }
            throw error
        }
    }

    private static func facts(_ head: ResponseHead) -> S3ObjectFacts {
        let modified = head["last-modified"].flatMap {
            HTTPDate($0, now: HTTPDate(secondsSince1970: 0))
        }
        return S3ObjectFacts(
            bytes: head["content-length"].flatMap { Int64($0) } ?? -1,
            etag: Reply(head: head).etag ?? "", modifiedAt: modified?.secondsSince1970,
            sha256: head[hashField])
    }

    /// Reads a small object.
    ///
    /// - Returns: nil if there is none.
    /// - Throws: `S3Error`; `.invalidAnswer` if it has more than `most` bytes.
    public func read(_ object: S3Address, most: Int) throws(S3Error) -> [UInt8]? {
        let request = S3Request(operation: .read, method: "GET", address: object)
        do throws(S3Error) {
            let body = try perform { request }.body
            guard body.count <= most else {
                throw failure(.invalidAnswer("it is larger than \(most) bytes"), request)
            }
            return body
        } catch {
            if error.kind == .noObject { return nil }
            throw error
        }
    }

    /// Writes a small object.
    ///
    /// - Parameters:
    ///   - object: Its address.
    ///   - bytes: Its content.
    ///   - ifAbsent: Whether an object that has the key stays; servers that do not know the condition replace it.
    /// - Throws: `S3Error`; `.conditionFailed` if an object has the key.
    public func write(
        _ object: S3Address, _ bytes: [UInt8], ifAbsent: Bool = false
    ) throws(S3Error) {
        var request = S3Request(operation: .write, method: "PUT", address: object)
        request.body = .bytes(bytes)
        if ifAbsent { request.fields.append(.init("If-None-Match", "*")) }
        _ = try perform { request }
    }

    /// Removes an object; one that is not there is no error.
    public func delete(_ object: S3Address) throws(S3Error) {
        let request = S3Request(operation: .delete, method: "DELETE", address: object)
        do throws(S3Error) {
            _ = try perform { request }
        } catch {
            guard error.kind == .noObject else { throw error }
        }
    }

    /// Copies an object of at most 5 GB inside the server.
    public func copy(_ object: S3Address, to target: S3Address) throws(S3Error) {
        var request = S3Request(operation: .copy, method: "PUT", address: target)
        let source = PercentEncoding.encode("/\(object.bucket)/\(object.key)", keepsSlashes: true)
        request.fields.append(.init("x-amz-copy-source", source))
        request.workSeconds = 600
        _ = try perform { request }
    }

    /// Reads an object into a file, from byte to byte, over as many connections as it takes.
    ///
    /// A server that ignores the range is survived: what was there already is skipped.
    ///
    /// - Parameters:
    ///   - object: Its address.
    ///   - descriptor: Open for writing; the bytes go to their own places.
    ///   - bytes: The size that it must have; nil any.
    /// - Returns: The size; nil if there is no object.
    /// - Throws: `S3Error`; `.conditionFailed` if it has another size, or has changed since.
    public func download(
        _ object: S3Address, to descriptor: Int32, bytes: Int64?
    ) throws(S3Error) -> Int64? {
        var reception = Reception(descriptor)
        var request = S3Request(operation: .read, method: "GET", address: object)
        do throws(S3Error) {
            let reply = try perform(
                {
                    request.fields = reception.fields
                    reception.begin()
                    return request
                },
                receive: { head, chunk in reception.take(head, chunk) })
            if let fault = reception.fault { throw failure(fault, request) }
            let total = reception.total ?? Self.facts(reply.head).bytes
            guard reception.present == max(total, 0), bytes == nil || bytes == total else {
                throw failure(.conditionFailed, request)
            }
            return total
        } catch {
            if error.kind == .noObject { return nil }
            throw error
        }
    }

    /// The part of an object that has arrived.
    private struct Reception {
        let descriptor: Int32
        var present: Int64 = 0
        var position: Int64?
        var total: Int64?
        var etag: String?
        var fault: S3Error.Kind?

        init(_ descriptor: Int32) { self.descriptor = descriptor }

        var fields: [TransferRequest.Field] {
            guard present > 0 else { return [] }
            let range = TransferRequest.Field("Range", "bytes=\(present)-")
            return [range] + (etag.map { [.init("If-Match", "\"\($0)\"")] } ?? [])
        }

        mutating func begin() { position = nil }

        mutating func take(_ head: ResponseHead, _ chunk: UnsafeRawBufferPointer) -> Bool {
            guard let start = position ?? start(head) else { return false }
            position = start + Int64(chunk.count)
            // Of a server that begins at the beginning again.
            let known = Int(max(0, min(present - start, Int64(chunk.count))))
            var rest = UnsafeRawBufferPointer(rebasing: chunk[known...])
            while let base = rest.baseAddress, rest.count > 0 {
                let count = pwrite(descriptor, base, rest.count, off_t(present))
                if count < 0, errno == EINTR { continue }
                guard count > 0 else {
                    fault = .file(errno: errno)
                    return false
                }
                present += Int64(count)
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
            return true
        }

        /// Where the body begins; nil for a part or a version that was not asked for.
        private mutating func start(_ head: ResponseHead) -> Int64? {
            let tag = Reply(head: head).etag
            guard etag == nil || etag == tag else {
                fault = .conditionFailed
                return nil
            }
            etag = tag
            let length = head["content-length"].flatMap { Int64($0) }
            // Some servers send a part with the status of a whole.
            guard head.status == 206 || head["content-range"] != nil else {
                total = length
                return 0
            }
            guard let field = head["content-range"].flatMap(ContentRange.init),
                case .bytes(let range, let complete) = field, range.lowerBound == present
            else {
                fault = .invalidAnswer("it sent another part than was asked for")
                return nil
            }
            total = complete
            return present
        }
    }
}
