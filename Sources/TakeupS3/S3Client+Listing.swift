/// One page of a listing.
public struct S3Page: Sendable, Equatable {
    /// An object of a listing.
    public struct Entry: Sendable, Equatable {
        public var key: String
        public var bytes: Int64
        /// Seconds since 1970; nil where the server does not say.
        public var modifiedAt: Int64?
    }

    public var entries: [Entry] = []
    /// Where the next page begins; nil after the last one.
    public var next: String?
    /// The server's clock, in seconds since 1970.
    public var serverTime: Int64?
}

/// An upload that was begun and neither completed nor aborted.
public struct S3UnfinishedUpload: Sendable, Equatable {
    public var key: String
    public var id: String
    /// Seconds since 1970; nil where the server does not say.
    public var begunAt: Int64?
}

extension S3Client {
    /// Lists one page of objects.
    ///
    /// - Parameters:
    ///   - bucket: Its name.
    ///   - prefix: How the keys begin.
    ///   - token: `next` of the page before; nil for the first page.
    ///   - most: Objects of the page, 1 to 1000.
    /// - Returns: The page.
    /// - Throws: `S3Error`.
    public func list(
        _ bucket: String, prefix: String, after token: String? = nil, most: Int = 1000
    ) throws(S3Error) -> S3Page {
        var request = bucketRequest(.list, bucket, prefix)
        request.query = [("list-type", "2"), ("max-keys", "\(most)"), ("prefix", prefix)]
        if let token { request.query.append(("continuation-token", token)) }
        let (reply, document) = try document(request, "ListBucketResult")
        let entries = document.children.filter { $0.name == "Contents" }
            .compactMap { object -> S3Page.Entry? in
                guard let key = object["Key"]?.text, let size = object.text(of: "Size"),
                    let bytes = Int64(size)
                else { return nil }
                let modified = object.text(of: "LastModified").flatMap(UTCTime.seconds)
                return S3Page.Entry(key: key, bytes: bytes, modifiedAt: modified)
            }
        let isCut = document.text(of: "IsTruncated") == "true"
        let next = document.text(of: "NextContinuationToken")
        guard !isCut || next != nil else {
            throw failure(.invalidAnswer("its listing has no next page"), request)
        }
        return S3Page(
            entries: entries, next: isCut ? next : nil, serverTime: reply.serverTime)
    }

    /// Calls `body` with each object of a prefix.
    ///
    /// - Parameters:
    ///   - place: The bucket and the beginning of the keys.
    ///   - body: Is given an object and the server's clock.
    /// - Throws: `S3Error`.
    public func forEach(
        _ place: S3Address, _ body: (S3Page.Entry, _ serverTime: Int64?) -> Void
    ) throws(S3Error) {
        var token: String?
        repeat {
            let page = try list(place.bucket, prefix: place.key, after: token)
            for entry in page.entries { body(entry, page.serverTime) }
            guard page.next == nil || page.next != token else {
                throw S3Error(
                    operation: .list, kind: .invalidAnswer("its listing never ends"),
                    address: place, server: endpoint.name)
            }
            token = page.next
        } while token != nil
    }

    /// For callers that find two answers about an object to contradict each other.
    public func strangeAnswer(
        _ operation: S3Error.Operation, _ object: S3Address
    ) -> S3Error {
        S3Error(
            operation: operation,
            kind: .invalidAnswer("the answers are not those of an object store"),
            address: object, server: endpoint.name)
    }

    /// What a listing says of one object, whatever HEAD says; nil if there is none.
    public func entry(_ object: S3Address) throws(S3Error) -> S3Page.Entry? {
        try list(object.bucket, prefix: object.key, most: 1).entries
            .first { $0.key == object.key }
    }

    /// Lists uploads that were begun below a prefix and not ended, up to a thousand, with the server's clock.
    public func unfinishedUploads(
        _ place: S3Address
    ) throws(S3Error) -> (uploads: [S3UnfinishedUpload], serverTime: Int64?) {
        var request = bucketRequest(.listUploads, place.bucket, place.key)
        request.query = [("uploads", ""), ("prefix", place.key)]
        let reply: Reply
        let document: XMLElement
        do throws(S3Error) {
            (reply, document) = try self.document(request, "ListMultipartUploads")
        } catch {
            // Some servers say so where there is none.
            guard error.kind == .noObject else { throw error }
            return ([], nil)
        }
        let uploads = document.children.filter { $0.name == "Upload" }
            .compactMap { upload -> S3UnfinishedUpload? in
                guard let key = upload["Key"]?.text, let id = upload.text(of: "UploadId")
                else { return nil }
                // Not every server looks at the prefix.
                guard key.hasPrefix(place.key) else { return nil }
                return S3UnfinishedUpload(
                    key: key, id: id,
                    begunAt: upload.text(of: "Initiated").flatMap(UTCTime.seconds))
            }
        return (uploads, reply.serverTime)
    }

    private func bucketRequest(
        _ operation: S3Error.Operation, _ bucket: String, _ prefix: String
    ) -> S3Request {
        guard let address = S3Address(bucket: bucket, key: "") else {
            preconditionFailure("a bucket's name was checked before")
        }
        return S3Request(operation: operation, method: "GET", address: address)
    }

    /// Sends a request whose answer is a document; servers do not agree on how its name ends.
    func document(
        _ request: S3Request, _ name: String
    ) throws(S3Error) -> (Reply, XMLElement) {
        let reply = try perform { request }
        do throws(XMLElement.Fault) {
            let document = try XMLElement.document(reply.body)
            if document.name.hasPrefix(name) { return (reply, document) }
        } catch {
            if error == .noLibrary {
                throw failure(
                    .invalidAnswer("libxml2, which reads it, is not installed"), request)
            }
        }
        throw failure(.invalidAnswer("the answer is none of an object store"), request)
    }
}

extension S3Client {
    /// Ends an upload that nobody completes, and frees what it holds; one that is gone is no error.
    public func abort(_ upload: S3UnfinishedUpload, in bucket: String) throws(S3Error) {
        guard let object = S3Address(bucket: bucket, key: upload.key) else { return }
        var request = S3Request(operation: .abortUpload, method: "DELETE", address: object)
        request.query = [("uploadId", upload.id)]
        do throws(S3Error) {
            _ = try perform { request }
        } catch {
            guard error.kind == .noObject else { throw error }
        }
    }
}
