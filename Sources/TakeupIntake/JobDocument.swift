public import TakeupJobs

/// Jobs as a program sends them in JSON: one object, a list of objects, or `{"defaults": {…}, "jobs": […]}`.
///
/// The document is refused as a whole for what is no JSON; what is wrong with one job hides no other.
public struct JobDocument: Sendable {
    /// A job, or what is wrong with it.
    public typealias Entry = Result<JobSpec, BatchFault>

    /// In the document's order.
    public let entries: [Entry]
    /// Whether the document is one job by itself.
    public let isSingle: Bool

    /// - Parameters:
    ///   - bytes: The document.
    ///   - options: What holds for jobs that do not say otherwise.
    ///   - folder: Where relative paths start; absolute.
    ///   - most: Jobs of one document.
    /// - Throws: What is wrong with the document's form.
    public init(
        parsing bytes: [UInt8], options: BatchOptions, from folder: String, mostJobs most: Int
    ) throws(BatchFault) {
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw BatchFault(line: nil, reason: "the document is not encoded in UTF-8")
        }
        var reader = Reader(SpecBuilder(options, folder: folder), most)
        isSingle = try reader.read(JSONCursor(bytes))
        entries = reader.entries
    }

    private struct Reader {
        private struct Drafted {
            var draft: JobDraft
            var faults: FaultList
        }

        private var builder: SpecBuilder
        private let most: Int
        private(set) var entries: [Entry] = []

        init(_ builder: SpecBuilder, _ most: Int) { (self.builder, self.most) = (builder, most) }

        /// - Returns: Whether it is one job by itself.
        mutating func read(_ start: JSONCursor) throws(BatchFault) -> Bool {
            var cursor = start
            guard !cursor.isAtEnd() else { throw cursor.fault("the document is empty") }
            let isList = cursor.next == UInt8(ascii: "[")
            var (drafts, defaults): ([Drafted], JobDraft?) = ([], nil)
            var isSingle = false
            if isList {
                drafts = try self.drafts(&cursor)
            } else {
                (drafts, defaults, isSingle) = try object(&cursor)
            }
            if let note = cursor.notes.first { throw note }
            guard cursor.isAtEnd() else { throw cursor.fault("something follows the document") }
            build(drafts, defaults, isSingle)
            return isSingle
        }

        private func drafts(_ cursor: inout JSONCursor) throws(BatchFault) -> [Drafted] {
            var drafts: [Drafted] = []
            try cursor.elements { cursor throws(BatchFault) in
                guard drafts.count < most else {
                    throw BatchFault(
                        line: nil, reason: "the document has more than \(most) jobs",
                        hint: "send several")
                }
                drafts.append(Self.drafted(try cursor.job()))
            }
            return drafts
        }

        private static func drafted(_ element: JSONElement) -> Drafted {
            var faults = FaultList()
            return Drafted(draft: JobDraft(element, &faults), faults: faults)
        }

        /// Reads one job, or defaults and jobs.
        private func object(
            _ cursor: inout JSONCursor
        ) throws(BatchFault) -> ([Drafted], JobDraft?, isSingle: Bool) {
            var (drafts, defaults): ([Drafted]?, JSONElement?) = (nil, nil)
            var members: [JSONElement.Member] = []
            try cursor.members { (key, cursor) throws(BatchFault) in
                switch key {
                case "jobs": drafts = try self.drafts(&cursor)
                case "defaults": defaults = try cursor.job()
                default:
                    members.append(JSONElement.Member(key: key, element: try cursor.job()))
                }
            }
            guard let drafts else {
                if let defaults {
                    members.append(JSONElement.Member(key: "defaults", element: defaults))
                }
                let job = JSONElement(value: .object(members), line: 1)
                return ([Self.drafted(job)], nil, true)
            }
            if let stray = members.first {
                throw JobDraft.stray(stray.key, line: stray.element.line)
            }
            return (
                drafts,
                try defaults.map { (element) throws(BatchFault) in
                    try Self.defaults(element)
                }, false
            )
        }

        private static func defaults(_ element: JSONElement) throws(BatchFault) -> JobDraft {
            let drafted = drafted(element)
            if let fault = drafted.faults.sorted.first { throw fault }
            for field in [JobField.id, .source] where drafted.draft.fields[field] != nil {
                throw BatchFault(
                    line: element.line, field: field.rawValue, reason: "cannot be a default",
                    hint: "write it into each job")
            }
            return drafted.draft
        }

        private mutating func build(
            _ drafts: [Drafted], _ defaults: JobDraft?, _ isSingle: Bool
        ) {
            var (planned, places): ([PlannedJob], [Int]) = ([], [])
            for (place, drafted) in drafts.enumerated() {
                var faults = drafted.faults
                let job = builder.job(drafted.draft, defaults: defaults, &faults)
                if let fault = faults.sorted.first {
                    entries.append(.failure(fault.numbered(isSingle ? nil : place + 1)))
                } else {
                    entries.append(.success(job.spec))
                    places.append(place)
                    planned.append(job)
                }
            }
            OutputNaming.name(&planned)
            for (place, job) in zip(places, planned) { entries[place] = .success(job.spec) }
        }
    }
}

extension JobDraft {
    /// For a member beside `jobs` that is not `defaults`.
    fileprivate static func stray(_ name: String, line: Int?) -> BatchFault {
        let nearest = Spelling.nearest(to: name, among: ["defaults", "jobs"])
        return BatchFault(
            line: line, reason: "a list has no \(QuotedWord(name))",
            hint: nearest.map { "did you mean '\($0)'?" } ?? "it may hold defaults and jobs")
    }
}
