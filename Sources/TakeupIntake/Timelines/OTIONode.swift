internal import TakeupTimeline

/// An object of an OpenTimelineIO file.
struct OTIONode {
    let element: JSONElement
    /// Such as `Clip`; without its version.
    let schema: String
    private let members: [JSONElement.Member]

    /// Takes an object of a known schema and version.
    ///
    /// - Throws: Why it is none.
    init(_ element: JSONElement, _ what: String) throws(BatchFault) {
        guard case .object(let members) = element.value else {
            throw BatchFault(
                line: element.line,
                reason: "\(what) is an object in { }, but here stands \(element.kind)")
        }
        guard
            case .text(let name)? = members.first(where: { $0.key == "OTIO_SCHEMA" })?.element.value
        else {
            throw BatchFault(
                line: element.line, field: "OTIO_SCHEMA",
                reason: "is missing: \(what) does not say what it is")
        }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        let (schema, version) = (String(parts[0]), parts.count == 2 ? Int(parts[1]) : nil)
        guard let version, version >= 1 else {
            throw BatchFault(
                line: element.line, field: "OTIO_SCHEMA",
                reason: "\(QuotedWord(name)) is no name of a schema with its version")
        }
        if let newest = Self.newest[schema], version > newest {
            throw BatchFault(
                line: element.line, field: "OTIO_SCHEMA",
                reason:
                    "\(what) is \(QuotedWord(name)), but this version reads \(schema) up to \(newest)",
                hint: "write the file for an older version of OpenTimelineIO")
        }
        (self.element, self.members) = (element, members)
        self.schema = Self.aliases[schema] ?? schema
    }

    private static let newest = [
        "Timeline": 1, "Stack": 1, "Track": 1, "Clip": 2, "Gap": 1, "ExternalReference": 1,
        "RationalTime": 1, "TimeRange": 1, "LinearTimeWarp": 1, "Transition": 1,
    ]
    /// Names of the first versions.
    private static let aliases = ["Sequence": "Track", "Filler": "Gap"]

    var line: Int? { element.line }

    /// The value of a field; nil for null.
    subscript(_ field: String) -> JSONElement? {
        guard let element = members.first(where: { $0.key == field })?.element else { return nil }
        if case .null = element.value { return nil }
        return element
    }

    /// Its own name; nil where it has none.
    var name: String? {
        guard case .text(let name)? = self["name"]?.value, !name.isEmpty else { return nil }
        return name
    }

    /// Such as `clip 'shot 3'`, or `clip 3` without a name.
    func title(_ place: Int) -> String {
        let kind = schema.lowercased()
        return name.map { "\(kind) \(QuotedWord($0))" } ?? "\(kind) \(place + 1)"
    }

    /// Whether it counts; nothing is seen or heard of what is not enabled.
    var isEnabled: Bool {
        if case .flag(false)? = self["enabled"]?.value { return false }
        return true
    }

    /// The elements of a list; none for null.
    ///
    /// - Throws: For another value.
    func list(_ field: String) throws(BatchFault) -> [JSONElement] {
        guard let element = self[field] else { return [] }
        guard case .list(let elements) = element.value else {
            throw fault(field, "needs a list, but holds \(element.kind)")
        }
        return elements
    }

    /// A range of time; nil for null.
    ///
    /// - Throws: For another value.
    func range(_ field: String) throws(BatchFault) -> (start: MediaTime, duration: MediaTime)? {
        guard let element = self[field] else { return nil }
        let node = try OTIONode(element, field)
        guard node.schema == "TimeRange" else {
            throw fault(field, "needs a TimeRange, but holds a \(node.schema)")
        }
        return (try node.time("start_time"), try node.time("duration"))
    }

    /// A time as an exact fraction.
    ///
    /// - Throws: For what is no time.
    func time(_ field: String) throws(BatchFault) -> MediaTime {
        guard let element = self[field] else { throw fault(field, "is missing") }
        let node = try OTIONode(element, field)
        guard node.schema == "RationalTime" else {
            throw fault(field, "needs a RationalTime, but holds a \(node.schema)")
        }
        let (value, rate) = (try node.number("value"), try node.number("rate"))
        guard let rate = FrameRate(rate) else {
            throw node.fault("rate", "may be 0.001 to 1,000,000,000, but is \(rate)")
        }
        guard abs(value) < 1e15, let count = Ratio(nearest: value) else {
            throw node.fault("value", "is too large: \(value)")
        }
        return rate.time(of: MediaTime(value: count.numerator, timescale: count.denominator))
    }

    /// A number.
    ///
    /// - Throws: For what is none.
    func number(_ field: String) throws(BatchFault) -> Double {
        guard case .number(let digits)? = self[field]?.value, let number = Double(digits),
            number.isFinite
        else { throw fault(field, "needs a number") }
        return number
    }

    func fault(_ field: String?, _ reason: String, hint: String? = nil) -> BatchFault {
        BatchFault(
            line: field.flatMap { self[$0]?.line } ?? line, field: field, reason: reason, hint: hint
        )
    }
}
