public import TakeupCurl
public import TakeupFields

/// The validators that tell one version of an object from another; bytes are joined only within one
/// version.
public struct EntityVersion: Equatable, Codable, Sendable {
    /// The entity tag, strong or weak.
    public var tag: EntityTag?
    public var lastModified: LastModified?
    /// Length of the whole object, in bytes; nil while unknown.
    public var length: Int64?
    /// True if nothing but the close of the connection ends the body; nil if its end is told.
    ///
    /// A connection that breaks then looks like the end of the object.
    public var isOpenEnded: Bool?

    /// The time of an object's last change.
    public struct LastModified: Equatable, Codable, Sendable {
        /// The field as sent; a request sends the same text back.
        public var text: String
        public var date: HTTPDate
        /// Whether the answer was made at least one second after the change, so that no second
        /// change can hide.
        ///
        /// - Note: Source: RFC 9110, 8.8.2.2.
        public var isStrong: Bool
    }

    /// The rule for entity tags when nodes of one origin name the same bytes differently.
    public enum TagPolicy: String, Codable, Sendable {
        /// A different strong tag means a different version.
        case strict
        /// A different tag is ignored if length and Last-Modified agree and the known date is
        /// strong.
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
    ///   - head: The answer's head, with any of `ETag`, `Last-Modified` and `Date`.
    ///   - length: The length of the whole object according to the answer.
    ///   - now: Decides the century of a date with a two-digit year.
    public init(_ head: ResponseHead, length: Int64?, now: HTTPDate) {
        self.length = length
        let isFramed = length != nil || head["transfer-encoding"] != nil
        isOpenEnded = isFramed || head["content-range"] != nil ? nil : true
        tag = head["etag"].flatMap { EntityTag($0) }
        guard let text = head["last-modified"], let date = HTTPDate(text, now: now) else {
            return
        }
        let made = head["date"].flatMap { HTTPDate($0, now: now) }
        let isStrong = made.map { $0.secondsSince1970 - date.secondsSince1970 >= 1 } ?? false
        lastModified = LastModified(
            text: FieldText.trimmed(text), date: date, isStrong: isStrong)
    }

    /// Returns the value of `If-Range` that keeps a later part in this version.
    ///
    /// - Returns: nil if no strong validator is known. A date is used only if there is no tag, or
    ///   if each node has its own tags.
    /// - Note: Source: RFC 9110, 13.1.5.
    public func ifRange(_ policy: TagPolicy) -> String? {
        let strongDate = lastModified.flatMap { $0.isStrong ? $0.text : nil }
        guard let tag else { return strongDate }
        if policy == .perNode, let strongDate { return strongDate }
        return tag.isWeak ? nil : tag.text
    }

    /// The request field that asks only for a different version than this one.
    ///
    /// - Returns: nil if there is neither a tag nor a date; a length is not a validator.
    /// - Note: Source: RFC 9110, 13.1.2 and 13.1.3.
    var condition: TransferRequest.Field? {
        if let tag { return TransferRequest.Field("If-None-Match", tag.text) }
        return lastModified.map { TransferRequest.Field("If-Modified-Since", $0.text) }
    }

    /// Returns whether an answer's bytes may be joined with those of this version.
    ///
    /// A validator that only one side has is no contradiction, since a 206 may leave out what the
    /// client knows. At least one fact must agree: a strong tag, a strong date, or the length. A date
    /// that is not strong may hide a second change within its second, so it proves nothing alone.
    public func matches(_ answer: EntityVersion, _ policy: TagPolicy) -> Bool {
        agreement(with: answer, policy) == true
    }

    /// Returns whether an answer certainly belongs to another version.
    public func contradicts(_ answer: EntityVersion, _ policy: TagPolicy) -> Bool {
        agreement(with: answer, policy) == false
    }

    /// Returns whether two versions agree; nil if they have no fact in common.
    private func agreement(with answer: EntityVersion, _ policy: TagPolicy) -> Bool? {
        if let length, let other = answer.length, length != other { return false }
        let isSameLength = length != nil && length == answer.length
        var isSameDate: Bool?
        if let lastModified, let other = answer.lastModified {
            isSameDate = lastModified.date == other.date
        }
        // The date of this version counts, not the answer's: these bytes may be older than the
        // last change within that second.
        let isStrongDate = isSameDate == true && lastModified?.isStrong == true
        if let tag, let other = answer.tag {
            if tag.matchesStrongly(other) { return true }
            guard tag.isWeak, tag == other else {
                return policy == .perNode && isSameLength && isStrongDate
            }
            // An equal weak tag proves nothing, so another fact must agree.
        }
        if isSameDate == false { return false }
        return isSameLength || isStrongDate ? true : nil
    }

    /// Returns this version with the facts added that only a matching answer has.
    public func learning(from answer: EntityVersion) -> EntityVersion {
        var learned = self
        learned.tag = tag ?? answer.tag
        learned.lastModified = lastModified ?? answer.lastModified
        learned.length = length ?? answer.length
        return learned
    }
}
