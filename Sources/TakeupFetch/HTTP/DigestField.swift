internal import Foundation
internal import TakeupCurl
internal import TakeupDigest

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

    /// Whether it speaks of the whole object also where only a part of it follows.
    var isOfObject: Bool {
        switch self {
        case .representation, .instance, .google: true
        // S3 names a part's own sum for a range that is a part as it was uploaded.
        case .content, .contentMD5, .amazonSHA256, .amazonCRC32C: false
        }
    }

    /// Whether it speaks of other bytes than those that come.
    func isOfOtherBytes(_ head: ResponseHead) -> Bool {
        switch self {
        case .google:
            // Stored in gzip, and sent without it.
            let coding = head["x-goog-stored-content-encoding"] ?? "identity"
            let changes = head["x-guploader-response-body-transformations"] ?? ""
            return coding.lowercased() != "identity" || changes.lowercased().contains("gunzip")
        case .amazonSHA256, .amazonCRC32C:
            return head["x-amz-checksum-type"]?.uppercased() == "COMPOSITE"
        case .representation, .content, .instance, .contentMD5: return false
        }
    }

    /// Reads a value of this field; what is malformed or unknown is passed over.
    func digests(in value: String) -> [StatedDigest] {
        switch self {
        // A text in quotes is no digest's, and may hold anything.
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

    /// Those that both registries of RFC 9530 and RFC 3230 have in this form.
    private static func algorithm(_ name: String) -> DigestAlgorithm? {
        DigestAlgorithm(rawValue: name).flatMap { $0 == .crc32c ? nil : $0 }
    }

    /// `name=text` between commas.
    private static func members(_ value: String) -> [(String, String)] {
        value.split(separator: ",").compactMap { member in
            let halves = member.split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard halves.count == 2 else { return nil }
            return (FieldText.trimmed(halves[0]), FieldText.trimmed(halves[1]))
        }
    }

    /// What is between the colons of a byte sequence; its parameters do not matter.
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
