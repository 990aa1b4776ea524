internal import Foundation
internal import TakeupDigest
internal import TakeupFields
internal import TakeupHTTP
internal import TakeupModel

/// The fields of resumable uploads.
///
/// - Note: Source: tus 1.0.0, https://tus.io/protocols/resumable-upload.
enum UploadProtocol {
    static let version = "1.0.0"
    static let extensions = "creation,creation-with-upload,termination,checksum,expiration"
    static let contentType = "application/offset+octet-stream"
    /// By the protocol's names.
    static let checksums: [(name: String, algorithm: DigestAlgorithm)] = [
        ("sha1", .sha1), ("sha256", .sha256), ("md5", .md5),
    ]

    /// Whether a request speaks this protocol.
    ///
    /// - Throws: With 412 for another version of it.
    static func isSpoken(_ fields: HTTPFields) throws(Refusal) -> Bool {
        guard let stated = fields["Tus-Resumable"] else { return false }
        guard stated == version else {
            throw Refusal(
                412,
                .request(
                    "tusVersion", "the server speaks version \(version) of tus",
                    hint: "send Tus-Resumable: \(version)"), [("Tus-Version", version)])
        }
        return true
    }

    /// A number of bytes; nil where the field is not there.
    static func bytes(_ name: String, _ fields: HTTPFields) throws(Refusal) -> Int64? {
        guard let text = fields[name] else { return nil }
        let isNumber = !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        guard isNumber, let bytes = Int64(text) else {
            throw Refusal(
                400,
                .request(
                    "invalidField", "\(name) needs a whole number of bytes",
                    hint: "send it in digits"))
        }
        return bytes
    }

    /// The file's name of `Upload-Metadata`; nil where it is not there.
    static func fileName(_ fields: HTTPFields) throws(Refusal) -> String? {
        for pair in fields["Upload-Metadata"]?.split(separator: ",") ?? [] {
            let words = pair.split(separator: " ")
            guard let key = words.first, ["filename", "name"].contains(key) else { continue }
            guard words.count == 2, let bytes = Data(base64Encoded: String(words[1])),
                let name = String(validating: bytes, as: UTF8.self)
            else {
                throw Refusal(
                    400,
                    .request(
                        "invalidField", "the \(key) of Upload-Metadata is no base64 of a text"))
            }
            return name
        }
        return nil
    }

    /// What the bytes of a request have to be; nil where it does not say.
    static func checksum(_ fields: HTTPFields) throws(Refusal) -> UploadReceiver.Checksum? {
        guard let text = fields["Upload-Checksum"] else { return nil }
        let words = text.split(separator: " ")
        let names = checksums.map(\.name).joined(separator: ",")
        guard words.count == 2,
            let algorithm = checksums.first(where: { $0.name == words[0] })?.algorithm,
            let bytes = Data(base64Encoded: String(words[1])), bytes.count == algorithm.byteCount
        else {
            throw Refusal(
                400,
                .request(
                    "invalidField", "Upload-Checksum cannot be used",
                    hint: "send one of \(names), a space, and the digest in base64"),
                [("Tus-Checksum-Algorithm", names)])
        }
        return UploadReceiver.Checksum(
            algorithm: algorithm, digits: RunningDigest.digits(bytes))
    }

    /// What the whole file has to be, by a digest of a request that brings all of it; nil where it states none that is known.
    ///
    /// - Note: Source: RFC 9530, 2 and 3.
    static func statedDigest(_ fields: HTTPFields) throws(Refusal) -> UploadReceiver.Checksum? {
        for name in ["Repr-Digest", "Content-Digest"] {
            for member in fields.values(name).flatMap({ $0.split(separator: ",") }) {
                let sides = FieldText.trimmed(member).split(separator: "=", maxSplits: 1)
                guard let algorithm = sides.first.flatMap({ DigestAlgorithm(rawValue: "\($0)") }),
                    [.sha256, .sha512].contains(algorithm)
                else { continue }
                guard sides.count == 2, sides[1].utf8.count > 2, sides[1].hasPrefix(":"),
                    sides[1].hasSuffix(":"),
                    let bytes = Data(base64Encoded: String(sides[1].dropFirst().dropLast())),
                    bytes.count == algorithm.byteCount
                else {
                    throw Refusal(
                        400,
                        .request(
                            "invalidField", "\(name) cannot be used",
                            hint: "send \(algorithm.rawValue)=:the digest in base64:"))
                }
                return UploadReceiver.Checksum(
                    algorithm: algorithm, digits: RunningDigest.digits(bytes))
            }
        }
        return nil
    }

    /// - Throws: With 415 for bytes that are not the file's own, 400 for a part of them.
    static func requirePlain(_ fields: HTTPFields) throws(Refusal) {
        let codings = fields.values("Content-Encoding").flatMap { $0.split(separator: ",") }
            .map { FieldText.trimmed($0).lowercased() }
        guard codings.allSatisfy({ $0 == "identity" || $0.isEmpty }) else {
            throw Refusal(
                415,
                .request(
                    "contentEncoding", "the body has to be the file's own bytes, not encoded ones",
                    hint: "send it without Content-Encoding"), [("Accept-Encoding", "identity")])
        }
        guard fields["Content-Range"] == nil else {
            throw Refusal(
                400,
                .request(
                    "contentRange", "an upload does not take a Content-Range",
                    hint: "send the whole file, or its parts by tus: Upload-Offset"))
        }
    }

    /// Names the version in an answer to a request about uploads; refusals name it, too.
    static func mark(_ response: inout HTTPResponse, _ request: HTTPRequest) {
        guard request.path == "/v1/uploads" || request.path.hasPrefix("/v1/uploads/") else {
            return
        }
        response.fields.set("Tus-Resumable", version)
    }

    /// Where an upload stands.
    static func fields(_ stored: StoredUpload) -> [(String, String)] {
        var fields = [
            ("Tus-Resumable", version), ("Upload-Offset", "\(stored.offset)"),
            ("Upload-Expires", "\(HTTPDate(secondsSince1970: Int64(stored.expiresAt)))"),
            ("Cache-Control", "no-store"),
        ]
        if let length = stored.upload.length { fields.append(("Upload-Length", "\(length)")) }
        return fields
    }
}
