internal import TakeupModel

/// A file that a client sends, or has sent.
struct Upload: Codable, Sendable, Equatable {
    let id: String
    /// A name that a file may have.
    let name: String
    /// Bytes; nil where the client has not said.
    var length: Int64?
    /// Seconds since 1970.
    let createdAt: Double
    /// In lower-case hexadecimal; nil until all bytes are there.
    var sha256: String?
    /// Where bytes begin that do not count, for their checksum has not been compared; nil for none.
    var heldFrom: Int64?
    /// `Upload-Metadata` as it came; nil for none.
    var metadata: String?

    var isComplete: Bool { sha256 != nil }

    /// What a job names.
    var source: String { "upload:\(id)/\(name)" }
}

/// An upload as it stands on the disk.
struct StoredUpload: Sendable, Equatable {
    var upload: Upload
    /// Bytes that are there.
    var offset: Int64
    /// When it goes, unless somebody uses it, in seconds since 1970.
    var expiresAt: Double

    /// Whether all bytes are there, and nothing but the end is missing.
    var isReady: Bool { !upload.isComplete && offset == upload.length }

    var json: JSONValue {
        [
            "id": .text(upload.id), "source": .text(upload.source), "name": .text(upload.name),
            "bytes": upload.isComplete ? .integer(offset) : .null,
            "length": upload.length.map(JSONValue.integer) ?? .null, "offset": .integer(offset),
            "complete": .flag(upload.isComplete), "sha256": .text(optional: upload.sha256),
            "createdAt": .timestamp(upload.createdAt), "expiresAt": .timestamp(expiresAt),
        ]
    }
}
