internal import Foundation
internal import TakeupCurl
internal import TakeupDigest
internal import TakeupFields

/// A header field that states digests of bytes.
enum DigestField: String, CaseIterable {
    /// - Note: Source: RFC 9530, 3.
    case representation = "Repr-Digest"
    /// - Note: Source: RFC 9530, 2.
    case content = "Content-Digest"
    /// - Note: Source: RFC 3230, 4.3.2.
    case instance = "Digest"
    /// - Note: Source: RFC 1864 and RFC 2616, 14.15.
    case contentMD5 = "Content-MD5"
    case google = "x-goog-hash"
    case amazonSHA256 = "x-amz-checksum-sha256"
    case amazonCRC32C = "x-amz-checksum-crc32c"

    /// Whether the digest covers the whole object even if only a part of the object follows.
    var isOfObject: Bool {
        switch self {
        case .representation, .instance, .google: true
        // For a range that equals an uploaded part, S3 states the checksum of that part.
        case .content, .contentMD5, .amazonSHA256, .amazonCRC32C: false
        }
    }

    /// Returns whether the digest covers other bytes than those of the body.
    func isOfOtherBytes(_ head: ResponseHead) -> Bool {
        switch self {
        case .google:
            // The object is stored as gzip and sent decompressed.
            let coding = head["x-goog-stored-content-encoding"] ?? "identity"
            let changes = head["x-guploader-response-body-transformations"] ?? ""
            return coding.lowercased() != "identity" || changes.lowercased().contains("gunzip")
        case .amazonSHA256, .amazonCRC32C:
            return head["x-amz-checksum-type"]?.uppercased() == "COMPOSITE"
        case .representation, .content, .instance, .contentMD5: return false
        }
    }

    /// Parses a value of this field; skips malformed and unknown digests.
    func digests(in value: String) -> [StatedDigest] {
        switch self {
        // A quoted string is not a digest and may hold anything.
        case .representation, .content:
            value.contains("\"")
                ? []
                : Self.members(value).compactMap { name, text in
                    Self.sequence(text).flatMap { digest(Self.algorithm(name), $0) }
                }
        case .instance:
            Self.members(value).compactMap { digest(Self.algorithm($0.lowercased()), $1) }
        case .google:
            Self.members(value).compactMap { digest(DigestAlgorithm(rawValue: $0), $1) }
        case .contentMD5: [digest(.md5, value)].compactMap(\.self)
        case .amazonSHA256: [digest(.sha256, value)].compactMap(\.self)
        case .amazonCRC32C: [digest(.crc32c, value)].compactMap(\.self)
        }
    }

    private func digest(_ algorithm: DigestAlgorithm?, _ base64: String) -> StatedDigest? {
        guard let algorithm,
            let bytes = Data(base64Encoded: FieldText.trimmed(base64)),
            bytes.count == algorithm.byteCount
        else { return nil }
        return StatedDigest(
            field: rawValue, algorithm: algorithm, digits: RunningDigest.digits(bytes))
    }

    /// Returns the algorithm with this name, if both RFC 9530 and RFC 3230 register it in the same
    /// form.
    private static func algorithm(_ name: String) -> DigestAlgorithm? {
        DigestAlgorithm(rawValue: name).flatMap { $0 == .crc32c ? nil : $0 }
    }

    /// Splits a value into its `name=text` members, separated by commas.
    private static func members(_ value: String) -> [(String, String)] {
        value.split(separator: ",").compactMap { member in
            let halves = member.split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard halves.count == 2 else { return nil }
            return (FieldText.trimmed(halves[0]), FieldText.trimmed(halves[1]))
        }
    }

    /// Returns the text between the colons of a byte sequence; ignores parameters.
    ///
    /// - Note: Source: RFC 9651, 3.3.5; padding may be missing there.
    private static func sequence(_ text: String) -> String? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].isEmpty else { return nil }
        let rest = FieldText.trimmed(parts[2])
        guard rest.isEmpty || rest.hasPrefix(";") else { return nil }
        let missing = (4 - parts[1].utf8.count % 4) % 4
        return parts[1] + String(repeating: "=", count: missing)
    }
}
