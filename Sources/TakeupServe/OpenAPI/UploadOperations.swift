internal import TakeupModel

/// The description of uploads.
enum UploadOperations {
    private typealias Schema = APISchema

    private static let version = APIOperation.Parameter.header(
        "Tus-Resumable", "The version of the protocol of resumable uploads.",
        Schema.constant(UploadProtocol.version))
    private static let offset = APIOperation.Parameter.header(
        "Upload-Offset", "Where the body begins.", Schema.count)
    private static let checksum = APIOperation.Parameter.header(
        "Upload-Checksum", "An algorithm, a space, and the body's digest in base64.")
    private static let upload = Schema.reference("Upload")
    private static let part = APIOperation.Content.bytes(UploadProtocol.contentType)

    static let all: [APIOperation] = [
        APIOperation(
            "OPTIONS", "/v1/uploads", "uploads", .anyone,
            "Say what the server can of resumable uploads.",
            answers: [.plain(204, "In the fields.")]),
        APIOperation(
            "GET", "/v1/uploads", "uploads", .read, "List uploads, the oldest first.",
            answers: [.json(200, "The uploads.", Schema.reference("UploadList"))]),
        APIOperation(
            "POST", "/v1/uploads", "uploads", .submit,
            "Take a file's bytes, or begin an upload that can be resumed.",
            parameters: [
                .query("name", "The file's name."), version,
                .header("Upload-Length", "Bytes of the whole.", Schema.count),
                .header("Upload-Metadata", "`filename` and the name in base64."), checksum,
                .header("Content-Disposition", "The file's name."),
            ],
            bodies: [.bytes(), part], needsBody: false,
            answers: [.json(201, "The upload, and the source for a job.", upload)],
            problems: [412, 460, 507]),
        APIOperation(
            "GET", "/v1/uploads/{id}", "uploads", .read, "Show an upload and where it stands.",
            parameters: [version], answers: [.json(200, "The upload.", upload)],
            problems: [404, 412]),
        APIOperation(
            "PATCH", "/v1/uploads/{id}", "uploads", .submit, "Go on with an upload.",
            parameters: [version, offset, checksum], bodies: [part],
            answers: [.plain(204, "The bytes are there; the fields say where it stands.")],
            problems: [404, 409, 412, 460, 507]),
        APIOperation(
            "DELETE", "/v1/uploads/{id}", "uploads", .submit, "Remove an upload.",
            parameters: [version], answers: [.plain(204, "It is gone.")],
            problems: [404, 409, 412]),
        APIOperation(
            "POST", "/v1/uploads/{id}", "uploads", .submit,
            "Do what X-HTTP-Method-Override says, for clients that can send no other method.",
            parameters: [
                .header(
                    "X-HTTP-Method-Override", "The method.",
                    Schema.words(["PATCH", "HEAD", "DELETE"])),
                version, offset, checksum,
            ],
            bodies: [part], needsBody: false,
            answers: [.json(200, "The upload.", upload), .plain(204, "It is done.")],
            problems: [404, 409, 412, 460, 507]),
    ]
}
