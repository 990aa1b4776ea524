internal import TakeupHTTP
internal import TakeupJobs
internal import TakeupModel

/// Files that clients send.
package struct UploadRoutes {
    private let store: UploadStore
    private let queue: QueueAccess

    package init(_ tools: ServeTools) {
        (store, queue) = (tools.desk.uploads, tools.queue)
    }

    package var routes: [Route] {
        [
            Route("OPTIONS", "/v1/uploads", .anyone) { [store] _ in
                .answer(
                    HTTPResponse(
                        204,
                        [
                            ("Allow", "GET, HEAD, POST, OPTIONS"),
                            ("Tus-Resumable", UploadProtocol.version),
                            ("Tus-Version", UploadProtocol.version),
                            ("Tus-Extension", UploadProtocol.extensions),
                            ("Tus-Max-Size", "\(store.mostBytes)"),
                            (
                                "Tus-Checksum-Algorithm",
                                UploadProtocol.checksums.map(\.name).joined(separator: ",")
                            ),
                        ]))
            },
            Route("GET", "/v1/uploads", .read) { [store] request in
                request.answer { () throws(Refusal) in
                    _ = try QueryReader(request, known: [])
                    return .json(["uploads": .list(try store.all().map(\.json))])
                }
            },
            Route("POST", "/v1/uploads", .submit, body: .bytes) { plan($0, create) },
            Route("GET", "/v1/uploads/{id}", .read) { request in
                request.answer { () throws(Refusal) in try show(request) }
            },
            Route("PATCH", "/v1/uploads/{id}", .submit, body: .bytes) { plan($0, append) },
            Route("DELETE", "/v1/uploads/{id}", .submit) { request in
                request.answer { () throws(Refusal) in try remove(request) }
            },
            // For clients whose way lets through no other method.
            Route("POST", "/v1/uploads/{id}", .submit, body: .bytes) { plan($0, override) },
        ]
    }

    private func plan(
        _ request: RoutedRequest, _ make: (RoutedRequest) throws(Refusal) -> RequestPlan
    ) -> RequestPlan {
        do throws(Refusal) {
            return try make(request)
        } catch {
            return .answer(error.response(to: request.http))
        }
    }

    // MARK: - Beginning

    private func create(_ request: RoutedRequest) throws(Refusal) -> RequestPlan {
        let fields = request.http.fields
        try UploadProtocol.requirePlain(fields)
        guard try UploadProtocol.isSpoken(fields) else { return try single(request) }
        guard fields["Upload-Defer-Length"] == nil,
            let length = try UploadProtocol.bytes("Upload-Length", fields)
        else {
            throw Refusal(
                400,
                .request(
                    "invalidField", "an upload needs its length when it begins",
                    hint: "send Upload-Length: its number of bytes"))
        }
        let checksum = try UploadProtocol.checksum(fields)
        let brings = try Self.brings(fields)
        let stored = try store.create(
            try UploadProtocol.fileName(fields) ?? "", length: length,
            metadata: fields["Upload-Metadata"])
        let style = UploadReceiver.Style(isNew: true, checksum: checksum) { Self.created($0) }
        let receiver = try receiver(of: stored, request, style)
        guard brings, length > 0 else { return .answer(receiver.finish()) }
        return .receive(receiver)
    }

    /// Whether a request that begins an upload brings bytes of it.
    private static func brings(_ fields: HTTPFields) throws(Refusal) -> Bool {
        let isEmpty = fields["Transfer-Encoding"] == nil && fields["Content-Length"] ?? "0" == "0"
        guard !isEmpty else { return false }
        guard type(fields) == UploadProtocol.contentType else { throw wrongType }
        return true
    }

    private static func type(_ fields: HTTPFields) -> String {
        var type = (fields["Content-Type"] ?? "").prefix { $0 != ";" }
        while type.last == " " { type.removeLast() }
        return type.lowercased()
    }

    private static var wrongType: Refusal {
        Refusal(
            415,
            .request(
                "contentType", "the body needs the content type \(UploadProtocol.contentType)"))
    }

    /// Takes a whole file as one body.
    private func single(_ request: RoutedRequest) throws(Refusal) -> RequestPlan {
        let query = try QueryReader(request, known: ["name"])
        let fields = request.http.fields
        guard !Self.type(fields).hasPrefix("multipart/"),
            Self.type(fields) != "application/x-www-form-urlencoded"
        else {
            throw Refusal(
                415,
                .request(
                    "contentType", "the body has to be the file's own bytes, not a form",
                    hint: "send Content-Type: application/octet-stream"))
        }
        let length =
            fields["Transfer-Encoding"] == nil
            ? try UploadProtocol.bytes("Content-Length", fields) ?? 0 : nil
        guard length != 0 else {
            throw Refusal(
                400,
                .request("emptyUpload", "the body is empty", hint: "send the file's bytes"))
        }
        let name = query.text("name") ?? DispositionName.of(fields["Content-Disposition"]) ?? ""
        let stated = try UploadProtocol.statedDigest(fields)
        let checksum = try UploadProtocol.checksum(fields) ?? stated
        let stored = try store.create(name, length: length)
        let style = UploadReceiver.Style(isSingle: true, isNew: true, checksum: checksum) {
            Self.created($0)
        }
        return .receive(try receiver(of: stored, request, style))
    }

    /// Takes the bytes of a new upload, which goes where none can be taken.
    private func receiver(
        of stored: StoredUpload, _ request: RoutedRequest, _ style: UploadReceiver.Style
    ) throws(Refusal) -> UploadReceiver {
        do throws(Refusal) {
            return try UploadReceiver(stored.upload.id, at: 0, in: store, request.http, style)
        } catch {
            store.removeRefused(stored.upload.id, stored.upload.name)
            throw error
        }
    }

    private static func created(_ stored: StoredUpload) -> HTTPResponse {
        var response = HTTPResponse.json(stored.json, status: 201)
        for (name, value) in UploadProtocol.fields(stored) { response.fields.set(name, value) }
        response.fields.set("Location", "/v1/uploads/\(stored.upload.id)")
        return response
    }

    // MARK: - Going on

    private func show(_ request: RoutedRequest) throws(Refusal) -> HTTPResponse {
        _ = try UploadProtocol.isSpoken(request.http.fields)
        guard let stored = try store.settled(request.parameter("id")) else {
            throw .noUpload(request.parameter("id"))
        }
        var response = HTTPResponse.json(stored.json)
        for (name, value) in UploadProtocol.fields(stored) { response.fields.set(name, value) }
        if let metadata = stored.upload.metadata {
            response.fields.set("Upload-Metadata", metadata)
        }
        return response
    }

    private func append(_ request: RoutedRequest) throws(Refusal) -> RequestPlan {
        let fields = request.http.fields
        _ = try UploadProtocol.isSpoken(fields)
        try UploadProtocol.requirePlain(fields)
        guard Self.type(fields) == UploadProtocol.contentType else { throw Self.wrongType }
        guard let offset = try UploadProtocol.bytes("Upload-Offset", fields) else {
            throw Refusal(
                400,
                .request("invalidField", "Upload-Offset is missing", hint: "ask with HEAD for it"))
        }
        let style = UploadReceiver.Style(checksum: try UploadProtocol.checksum(fields)) {
            HTTPResponse(204, UploadProtocol.fields($0))
        }
        return .receive(
            try UploadReceiver(request.parameter("id"), at: offset, in: store, request.http, style))
    }

    private func override(_ request: RoutedRequest) throws(Refusal) -> RequestPlan {
        switch request.http.fields["X-HTTP-Method-Override"] {
        case "PATCH": return try append(request)
        case "DELETE": return .answer(try remove(request))
        case "HEAD": return .answer(try show(request))
        default:
            throw Refusal(
                405,
                .request(
                    "methodNotAllowed", "POST needs an X-HTTP-Method-Override here",
                    hint: "send PATCH, HEAD or DELETE"),
                [("Allow", "GET, HEAD, PATCH, DELETE, OPTIONS")])
        }
    }

    private func remove(_ request: RoutedRequest) throws(Refusal) -> HTTPResponse {
        _ = try UploadProtocol.isSpoken(request.http.fields)
        let id = request.parameter("id")
        guard try store.find(id) != nil else { throw .noUpload(id) }
        try store.remove(id) { (folder) throws(Refusal) in try Self.isUsed(folder, queue) }
        return HTTPResponse(204, [("Tus-Resumable", UploadProtocol.version)])
    }

    /// Whether a job that has not ended is made from what is below a folder.
    static func isUsed(_ folder: String, _ queue: QueueAccess) throws(Refusal) -> Bool {
        var listing = JobListing(limit: 1)
        listing.states = [.queued, .scheduled, .running]
        listing.source = SourceMatch(folder, from: "/")
        let page = try Refusal.attempt { () throws(Failure) in try queue.list(listing) }
        return !page.records.isEmpty
    }
}
