/// Parses header lines into one response head.
///
/// Earlier interim heads and later trailers are counted but left out.
struct HeadReader {
    /// The effect of a line.
    enum Step: Equatable {
        case more
        case complete(ResponseHead)
        case tooLarge
        case malformed
    }

    private let limitBytes: Int
    private var bytes = 0
    private var open: ResponseHead?
    private(set) var head: ResponseHead?

    init(limitBytes: Int) {
        self.limitBytes = limitBytes
    }

    /// Adds one line, including its line end.
    mutating func take(_ line: UnsafeRawBufferPointer) -> Step {
        bytes += line.count
        guard bytes <= limitBytes else { return .tooLarge }
        guard head == nil else { return .more }
        let text = line[..<line.endIndex.advanced(by: -Self.lineEndBytes(line))]
        guard var current = open else { return begin(text) }
        if text.isEmpty { return finish(current) }
        Self.add(text, to: &current)
        open = current
        return .more
    }

    private mutating func begin(_ line: Slice<UnsafeRawBufferPointer>) -> Step {
        let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
        guard parts.count >= 2, parts[0].starts(with: "HTTP/".utf8), parts[1].count == 3,
            let status = Int(String(decoding: parts[1], as: UTF8.self)),
            (100...599).contains(status)
        else { return .malformed }
        open = ResponseHead(status: status)
        return .more
    }

    private mutating func finish(_ current: ResponseHead) -> Step {
        open = nil
        guard current.status >= 200 else { return .more }
        guard current.isFramedClearly else { return .malformed }
        head = current
        return .complete(current)
    }

    private static func add(_ line: Slice<UnsafeRawBufferPointer>, to head: inout ResponseHead) {
        if let first = line.first, isBlank(first), let last = head.fields.indices.last {
            // A value that continues on the next line is obsolete, but some origins send it.
            head.fields[last].value += " \(trimmed(line))"
            return
        }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else {
            return
        }
        let value = trimmed(line[line.index(after: colon)...])
        head.fields.append(.init(name: trimmed(line[..<colon]), value: value))
    }

    private static func trimmed(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        guard let first = bytes.firstIndex(where: { !isBlank($0) }),
            let last = bytes.lastIndex(where: { !isBlank($0) })
        else { return "" }
        return String(decoding: bytes[first...last], as: UTF8.self)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func lineEndBytes(_ line: UnsafeRawBufferPointer) -> Int {
        guard line.last == 0x0A else { return 0 }
        return line.count > 1 && line[line.count - 2] == 0x0D ? 2 : 1
    }
}

extension ResponseHead {
    /// The body length that the head states, in bytes; nil if it states none.
    var statedBodyBytes: Int64? {
        guard status != 204, status != 304, self["transfer-encoding"] == nil else { return nil }
        return self["content-length"].flatMap { Int64($0) }
    }

    /// Whether the end of the body is unambiguous and the body is not content-coded.
    fileprivate var isFramedClearly: Bool {
        let codings = fields.filter { $0.name == "transfer-encoding" }.map { $0.value.lowercased() }
        let lengths = Set(fields.filter { $0.name == "content-length" }.map(\.value))
        return lengths.count <= 1 && (codings.isEmpty || codings == ["chunked"])
    }
}
