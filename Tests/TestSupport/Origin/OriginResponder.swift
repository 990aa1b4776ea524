import Foundation

/// Decides what a `GET` or `HEAD` of an object gets, when nothing fixed comes first.
///
/// - Note: Source: RFC 9110, 13.2.2 for the order of preconditions, 14 for ranges.
struct OriginResponder {
    let request: OriginRequest
    let object: OriginObject
    /// Of all requests, for tags that change with each.
    let number: Int

    private var faults: OriginFaults { object.faults }

    /// The answer.
    ///
    /// - Throws: `ToolFailure` when the content cannot be read.
    func answer() throws(ToolFailure) -> OriginAnswer {
        let content = try encodedContent()
        let length = try content.length()
        var answer = decide(content, length)
        if faults.gzips, (200...206).contains(answer.status) {
            answer.fields.append(OriginField("Content-Encoding", "gzip"))
        }
        answer.content = content
        return answer
    }

    private func encodedContent() throws(ToolFailure) -> OriginContent {
        guard faults.gzips else { return object.content }
        let length = try object.content.length()
        guard length <= 64 << 20 else { throw ToolFailure("\(length) bytes are too many to gzip") }
        return .bytes(OriginGzip.stored(try object.content.read(0..<length)))
    }

    private func decide(_ content: OriginContent, _ length: Int64) -> OriginAnswer {
        let fields = representationFields(content)
        if let status = conditions(content).status {
            return .fixed(status, status == 304 ? fields : [])
        }
        let isRanged =
            request.method == "GET" && faults.ranges != .ignored
            && conditions(content).rangeHolds
        let ranges = isRanged ? OriginRanges(request.fields["Range"], length: length) : .whole
        if case .verbatim(let text) = faults.contentRange, ranges != .whole {
            let wanted = if case .some(let list) = ranges { list[0] } else { Int64(0)..<0 }
            let field = OriginField("Content-Range", text)
            return body(206, [.content(wanted)], fields + [field], length)
        }
        if case .refused(let status) = faults.ranges, ranges != .whole { return .fixed(status) }
        switch ranges {
        case .whole:
            return body(200, [.content(0..<length)], fields, length)
        case .unsatisfiable:
            return .fixed(416, [OriginField("Content-Range", "bytes */\(length)")])
        case .some(let list) where list.count > 1 && faults.ranges == .singleOnly:
            return body(200, [.content(0..<length)], fields, length)
        case .some(let list) where list.count > 1 || faults.rangeShape == .multipart:
            return multipart(list, fields, length)
        case .some(let list):
            let range = shaped(list[0], length)
            let label = contentRange(range, length)
            return body(faults.statusOfPart, [.content(range)], fields + label, length)
        }
    }

    private func conditions(_ content: OriginContent) -> OriginConditions {
        OriginConditions(
            request: request, tag: object.tag.text(for: content, request: number),
            lastModified: lastModified(content), date: date.seconds)
    }

    private func shaped(_ range: Range<Int64>, _ length: Int64) -> Range<Int64> {
        let start = range.lowerBound
        return switch faults.rangeShape {
        case .exact, .multipart: range
        case .shorter(let count): start..<max(start + 1, range.upperBound - count)
        case .longer(let count): start..<min(length, range.upperBound + count)
        case .atMost(let count): start..<min(range.upperBound, start + max(1, count))
        }
    }

    private func contentRange(_ range: Range<Int64>, _ length: Int64) -> [OriginField] {
        var shift: Int64 = 0
        var total = "\(length)"
        switch faults.contentRange {
        case .right: break
        case .shifted(let count): shift = count
        case .total(let count): total = "\(count)"
        case .unknownTotal: total = "*"
        case .missing: return []
        case .verbatim(let text): return [OriginField("Content-Range", text)]
        }
        let ends = "\(range.lowerBound + shift)-\(range.upperBound - 1 + shift)"
        return [OriginField("Content-Range", "bytes \(ends)/\(total)")]
    }

    private func multipart(
        _ ranges: [Range<Int64>], _ fields: [OriginField], _ length: Int64
    ) -> OriginAnswer {
        let boundary = "takeup-part-\(number)"
        var parts: [OriginAnswer.Part] = []
        for (index, range) in ranges.enumerated() {
            var text = "\(index == 0 ? "" : "\r\n")--\(boundary)\r\n"
            if let type = object.contentType { text += "Content-Type: \(type)\r\n" }
            for field in contentRange(range, length) { text += "\(field.name): \(field.value)\r\n" }
            parts.append(.literal(Array((text + "\r\n").utf8)))
            parts.append(.content(range))
        }
        parts.append(.literal(Array("\r\n--\(boundary)--\r\n".utf8)))
        var fields = fields.filter { $0.name != "Content-Type" }
        fields.append(OriginField("Content-Type", "multipart/byteranges; boundary=\(boundary)"))
        return body(206, parts, fields, length)
    }

    private func body(
        _ status: Int, _ parts: [OriginAnswer.Part], _ fields: [OriginField], _ length: Int64
    ) -> OriginAnswer {
        var answer = OriginAnswer(status: status, fields: fields, parts: parts)
        switch faults.framing {
        case .length:
            answer.fields.append(OriginField("Content-Length", "\(answer.bodyBytes)"))
        case .lengthAndMore:
            answer.fields.append(OriginField("Content-Length", "\(answer.bodyBytes)"))
            answer.parts.append(.literal(Array("\r\n".utf8)))
        case .declared(let count):
            answer.fields.append(OriginField("Content-Length", "\(count)"))
            answer.closes = count != answer.bodyBytes
        case .chunked, .endlessChunked:
            answer.fields.append(OriginField("Transfer-Encoding", "chunked"))
            answer.framing = faults.framing == .chunked ? .chunked : .endless
        case .untilClose:
            answer.framing = .untilClose
            answer.closes = true
        }
        return answer
    }

    private var date: OriginDate { object.date.map { OriginDate(seconds: $0) } ?? .now }

    private func lastModified(_ content: OriginContent) -> Int? {
        guard object.tag == .ofFile, object.lastModified == nil, case .file(let path) = content
        else { return object.lastModified }
        return (try? OriginContent.status(of: path))?.st_mtim.tv_sec
    }

    private func representationFields(_ content: OriginContent) -> [OriginField] {
        var fields = [OriginField("Date", date.text)]
        if let type = object.contentType { fields.append(OriginField("Content-Type", type)) }
        if let ranges = faults.acceptRanges { fields.append(OriginField("Accept-Ranges", ranges)) }
        if let tag = object.tag.text(for: content, request: number) {
            fields.append(OriginField("ETag", tag))
        }
        if let seconds = lastModified(content) {
            fields.append(OriginField("Last-Modified", OriginDate(seconds: seconds).text))
        }
        return fields + object.fields
    }
}
