public import TakeupFields

/// What a request's conditions say about the object that it asks for.
///
/// - Note: Source: RFC 9110, 13.1 and 13.2.2, whose order is kept.
public enum Preconditions {
    public enum Verdict: Sendable, Equatable {
        case proceed
        /// 304.
        case notModified
        /// 412.
        case failed
    }

    /// Judges all conditions but `If-Range`.
    ///
    /// - Parameters:
    ///   - method: The request's.
    ///   - fields: The request's.
    ///   - tag: The object's; nil without one.
    ///   - modified: When the object changed; nil if unknown.
    ///   - now: For dates with two-digit years.
    /// - Returns: What the request's answer must be, or that nothing stands in its way.
    public static func verdict(
        method: String, fields: HTTPFields, tag: EntityTag?, modified: HTTPDate?, now: HTTPDate
    ) -> Verdict {
        let isReading = method == "GET" || method == "HEAD"
        if let wanted = list(fields, "If-Match") {
            // A list that cannot be read names no version: nothing may change on its account.
            guard wanted.matches(tag, { $0.matchesStrongly($1) }) else { return .failed }
        } else if let date = date(fields, "If-Unmodified-Since", now), let modified {
            guard modified <= date else { return .failed }
        }
        if let known = list(fields, "If-None-Match") {
            guard known.matches(tag, { $0.matchesWeakly($1) }) else { return .proceed }
            return isReading ? .notModified : .failed
        }
        if isReading, let date = date(fields, "If-Modified-Since", now), let modified {
            // Not `<=`: another object may have taken the place of a newer one.
            return modified == date ? .notModified : .proceed
        }
        return .proceed
    }

    /// Whether `If-Range` allows a part of the object: `true` without that field.
    ///
    /// A weak tag does not, nor a date within whose second the object might have changed once more.
    public static func permitsRange(
        fields: HTTPFields, tag: EntityTag?, modified: HTTPDate?, now: HTTPDate
    ) -> Bool {
        guard let value = fields["If-Range"] else { return true }
        if let wanted = EntityTag(value) { return tag.map(wanted.matchesStrongly) ?? false }
        guard let wanted = HTTPDate(value, now: now), let modified, wanted == modified else {
            return false
        }
        return now.secondsSince1970 - modified.secondsSince1970 >= 1
    }

    private static func list(_ fields: HTTPFields, _ name: String) -> EntityTagList? {
        let values = fields.values(name)
        return values.isEmpty ? nil : EntityTagList(values.joined(separator: ","))
    }

    private static func date(_ fields: HTTPFields, _ name: String, _ now: HTTPDate) -> HTTPDate? {
        let values = fields.values(name)
        return values.count == 1 ? HTTPDate(values[0], now: now) : nil
    }
}

/// The value of `If-Match` or `If-None-Match`.
public enum EntityTagList: Equatable, Sendable {
    /// `*`: any version.
    case any
    case tags([EntityTag])

    /// A list with something else than tags in it holds those before.
    public init(_ text: String) {
        guard FieldText.trimmed(text) != "*" else {
            self = .any
            return
        }
        var tags: [EntityTag] = []
        var rest = Array(text.utf8)[...]
        while let first = rest.first {
            if first == UInt8(ascii: ",") || first == 0x20 || first == 0x09 {
                rest.removeFirst()
                continue
            }
            // A tag may hold commas.
            guard let open = rest.firstIndex(of: UInt8(ascii: "\"")),
                let close = rest[(open + 1)...].firstIndex(of: UInt8(ascii: "\"")),
                let tag = EntityTag(String(decoding: rest[...close], as: UTF8.self))
            else { break }
            tags.append(tag)
            rest = rest[(close + 1)...]
        }
        self = .tags(tags)
    }

    func matches(_ tag: EntityTag?, _ equal: (EntityTag, EntityTag) -> Bool) -> Bool {
        switch self {
        case .any: true
        case .tags(let tags): tag.map { tag in tags.contains { equal($0, tag) } } ?? false
        }
    }
}
