/// What the preconditions of a request come to.
///
/// - Note: Source: RFC 9110, 13.1 and 13.2.2; strength of dates by 8.8.2.2.
struct OriginConditions {
    let request: OriginRequest
    let tag: String?
    let lastModified: Int?
    let date: Int

    /// 412 or 304 when the request ends here; nil when it goes on.
    var status: Int? {
        if let list = request.fields["If-Match"] {
            if !lists(list, strongly: true) { return 412 }
        } else if let limit = seconds("If-Unmodified-Since"), let lastModified {
            if lastModified > limit { return 412 }
        }
        if let list = request.fields["If-None-Match"] {
            return lists(list, strongly: false) ? 304 : nil
        }
        guard let since = seconds("If-Modified-Since"), let lastModified else { return nil }
        return lastModified <= since ? 304 : nil
    }

    /// Whether a `Range` is to be heard, as far as `If-Range` says.
    var rangeHolds: Bool {
        guard let field = request.fields["If-Range"] else { return true }
        if field.hasPrefix("\"") || field.hasPrefix("W/") {
            return field == tag && field.hasPrefix("\"")
        }
        guard let asked = OriginDate(text: field), let lastModified else { return false }
        return asked.seconds == lastModified && date > lastModified
    }

    private func seconds(_ name: String) -> Int? {
        request.fields[name].flatMap { OriginDate(text: $0) }?.seconds
    }

    private func lists(_ list: String, strongly: Bool) -> Bool {
        if list == "*" { return true }
        guard let tag else { return false }
        if strongly, tag.hasPrefix("W/") { return false }
        return list.split(separator: ",").contains { word in
            let other = String(word.drop { $0 == " " })
            return strongly ? other == tag : opaque(other) == opaque(tag)
        }
    }

    private func opaque(_ tag: String) -> Substring {
        tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
    }
}
