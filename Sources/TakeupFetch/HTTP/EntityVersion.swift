public import TakeupCurl

/// What tells one version of an object from another: bytes are joined only within one.
public struct EntityVersion: Equatable, Codable, Sendable {
    /// Strong or weak.
    public var tag: EntityTag?
    public var lastModified: LastModified?
    /// Of the whole object, in bytes; nil while unknown.
    public var length: Int64?

    /// When an object was changed for the last time.
    public struct LastModified: Equatable, Codable, Sendable {
        /// As sent; goes back unchanged.
        public var text: String
        public var date: HTTPDate
        /// The answer was made at least a second later, so that no second change hides in it.
        ///
        /// - Note: Source: RFC 9110, 8.8.2.2.
        public var isStrong: Bool
    }

    /// Whose word counts when nodes of one origin name the same bytes differently.
    public enum TagPolicy: String, Codable, Sendable {
        /// Another strong tag is another version.
        case strict
        /// Another tag is forgiven when both length and Last-Modified agree, and the date known here is strong.
        case perNode
    }

    public init(
        tag: EntityTag? = nil, lastModified: LastModified? = nil, length: Int64? = nil
    ) {
        self.tag = tag
        self.lastModified = lastModified
        self.length = length
    }

    /// Reads the validators of an answer.
    ///
    /// - Parameters:
    ///   - head: With `ETag`, `Last-Modified` and `Date`, or some of them.
    ///   - length: The whole object's length as the answer tells it.
    ///   - now: Decides the century of a date with a short year.
    public init(_ head: ResponseHead, length: Int64?, now: HTTPDate) {
        self.length = length
        tag = head["etag"].flatMap { EntityTag($0) }
        guard let text = head["last-modified"], let date = HTTPDate(text, now: now) else {
            return
        }
        let made = head["date"].flatMap { HTTPDate($0, now: now) }
        let isStrong = made.map { $0.secondsSince1970 - date.secondsSince1970 >= 1 } ?? false
        lastModified = LastModified(
            text: FieldText.trimmed(text), date: date, isStrong: isStrong)
    }

    /// The value of `If-Range` that keeps a later part in this version.
    ///
    /// - Returns: nil when nothing strong is known. A date is used only where there is no tag,
    ///   or where tags are of single nodes.
    /// - Note: Source: RFC 9110, 13.1.5.
    public func ifRange(_ policy: TagPolicy) -> String? {
        let strongDate = lastModified.flatMap { $0.isStrong ? $0.text : nil }
        guard let tag else { return strongDate }
        if policy == .perNode, let strongDate { return strongDate }
        return tag.isWeak ? nil : tag.text
    }

    /// The field that asks only for another version than this one.
    ///
    /// - Returns: nil when nothing is known that it could name: a length is no validator.
    /// - Note: Source: RFC 9110, 13.1.2 and 13.1.3.
    var condition: TransferRequest.Field? {
        if let tag { return TransferRequest.Field("If-None-Match", tag.text) }
        return lastModified.map { TransferRequest.Field("If-Modified-Since", $0.text) }
    }

    /// Whether an answer's bytes may be joined with those of this version.
    ///
    /// What only one of both tells contradicts nothing, since a 206 may leave out what the
    /// client knows; but something must agree, if only the length.
    public func matches(_ answer: EntityVersion, _ policy: TagPolicy) -> Bool {
        agreement(with: answer, policy) == true
    }

    /// Whether an answer is surely one of another version.
    public func contradicts(_ answer: EntityVersion, _ policy: TagPolicy) -> Bool {
        agreement(with: answer, policy) == false
    }

    /// nil when the two tell nothing in common.
    private func agreement(with answer: EntityVersion, _ policy: TagPolicy) -> Bool? {
        if let length, let other = answer.length, length != other { return false }
        let isSameLength = length != nil && length == answer.length
        var isSameDate: Bool?
        if let lastModified, let other = answer.lastModified {
            isSameDate = lastModified.date == other.date
        }
        guard let tag, let other = answer.tag else {
            return isSameDate ?? (isSameLength ? true : nil)
        }
        if tag.matchesStrongly(other) { return true }
        // It says no more than none, so that something else has to agree.
        if tag.isWeak, tag == other { return isSameDate ?? (isSameLength ? true : nil) }
        return policy == .perNode && isSameLength && isSameDate == true
            && lastModified?.isStrong == true
    }

    /// This version, with what a matching answer tells for the first time.
    public func learning(from answer: EntityVersion) -> EntityVersion {
        EntityVersion(
            tag: tag ?? answer.tag, lastModified: lastModified ?? answer.lastModified,
            length: length ?? answer.length)
    }
}
