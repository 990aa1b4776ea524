public import TakeupCurl
public import TakeupDigest

/// The digests that an origin states for one version of an object, at most one for each algorithm.
///
/// An algorithm with two different values is ignored: the origin does not mean the same bytes by
/// them.
public struct StatedDigests: Equatable, Codable, Sendable {
    public private(set) var digests: [StatedDigest] = []
    /// Algorithms that were stated with two different values.
    public private(set) var disputed: [DigestAlgorithm] = []

    public init() {}

    /// Reads the digests in an answer's head; skips malformed and unknown ones.
    ///
    /// - Parameters:
    ///   - head: The answer's head, with any of the fields of `DigestField`, each any number of
    ///     times.
    ///   - isWhole: Whether the answer's body is the whole object.
    public init(_ head: ResponseHead, isWhole: Bool) {
        for field in DigestField.allCases where isWhole || field.isOfObject {
            guard !field.isOfOtherBytes(head) else { continue }
            for named in head.fields where named.name == field.rawValue.lowercased() {
                for digest in field.digests(in: named.value) { add(digest) }
            }
        }
    }

    public var isEmpty: Bool { digests.isEmpty && disputed.isEmpty }

    /// Adds the digests that another answer states for the same version.
    public mutating func add(_ other: StatedDigests) {
        for algorithm in other.disputed { dispute(algorithm) }
        for digest in other.digests { add(digest) }
    }

    private mutating func add(_ digest: StatedDigest) {
        guard !disputed.contains(digest.algorithm) else { return }
        guard let known = digests.first(where: { $0.algorithm == digest.algorithm }) else {
            return digests.append(digest)
        }
        if known.digits != digest.digits { dispute(digest.algorithm) }
    }

    private mutating func dispute(_ algorithm: DigestAlgorithm) {
        digests.removeAll { $0.algorithm == algorithm }
        if !disputed.contains(algorithm) { disputed.append(algorithm) }
    }
}
