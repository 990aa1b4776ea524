internal import TakeupFetch
internal import TakeupHTTP
internal import TakeupIntake
internal import TakeupJobs
internal import TakeupLanes
internal import TakeupModel

/// Takes jobs as programs send them.
struct JobIntake: Sendable {
    /// Of one request.
    static let mostJobs = 10_000
    /// Bytes of one request.
    static let mostBytes = 16_000_000
    /// Paths of the API have these names where a job's id would stand.
    static let reservedIDs: Set<String> = ["counts", "lookup", "prune"]

    let options: BatchOptions
    private let queue: QueueAccess
    private let now: @Sendable () -> Double
    private let uploads: UploadStore
    private let sources: SourceLibrary

    init(_ tools: ServeTools) {
        var options = BatchOptions()
        options.presetFolder = tools.presetFolder
        options.paths = tools.pathRule
        self.options = options
        (queue, now, uploads) = (tools.queue, tools.wallClock, tools.desk.uploads)
        sources = tools.sources
    }

    /// - Throws: For what is no JSON, and for more jobs than one request may have.
    func document(_ bytes: [UInt8]) throws(Refusal) -> JobDocument {
        try Refusal.reading { () throws(BatchFault) in
            try JobDocument(
                parsing: bytes, options: options, from: options.paths?.base ?? "/",
                mostJobs: Self.mostJobs)
        }
    }

    /// Reads one job.
    func job(_ bytes: [UInt8]) throws(Refusal) -> JobSpec {
        let document = try document(bytes)
        guard document.isSingle, let entry = document.entries.first else {
            throw Refusal(400, .request("invalidJob", "one job is needed here, not a list"))
        }
        return try spec(entry)
    }

    private func spec(_ entry: JobDocument.Entry) throws(Refusal) -> JobSpec {
        switch entry {
        case .failure(let fault): throw Refusal(fault)
        case .success(let spec):
            guard !Self.reservedIDs.contains(spec.id.rawValue) else {
                throw Refusal(
                    400,
                    .request(
                        "invalidJob", "id: '\(spec.id)' is reserved", hint: "give another id"))
            }
            for source in spec.request.sources where SourceText.isAddress(source) {
                try Refusal.requirePermitted(source, by: sources)
            }
            return spec
        }
    }

    /// Accepts the jobs of a document; when this returns they are durable, and no upload of theirs goes.
    func submit(_ bytes: [UInt8]) throws(Refusal) -> HTTPResponse {
        try uploads.claims.shared { () throws(Refusal) in try accept(bytes) }
    }

    private func accept(_ bytes: [UInt8]) throws(Refusal) -> HTTPResponse {
        let document = try document(bytes)
        guard document.isSingle, let entry = document.entries.first else {
            return .json(["jobs": .list(try place(document.entries))])
        }
        let spec = try spec(entry)
        let placed = try Refusal.attempt { () throws(Failure) in try queue.place([spec]) }
        guard let submission = placed.first else { throw Refusal.notFound("job") }
        if let fault = submission.fault { throw refusal(submission.answer, fault) }
        uploads.touch(spec)
        let record = try Refusal.attempt { () throws(Failure) in try queue.job(submission.id) }
        let body =
            record.map { uploads.paths.shown($0.json) }
            ?? [
                "id": .text(submission.id.rawValue), "state": .text(state(of: submission).rawValue),
            ]
        return .json(
            body, status: submission.answer == .accepted ? 201 : 200,
            [("Location", "/v1/jobs/\(PathText.encoded(submission.id.rawValue))")])
    }

    /// What became of each entry, in order.
    private func place(_ entries: [JobDocument.Entry]) throws(Refusal) -> [JSONValue] {
        var answers = [JSONValue](repeating: .null, count: entries.count)
        var (specs, places): ([JobSpec], [Int]) = ([], [])
        for (place, entry) in entries.enumerated() {
            do throws(Refusal) {
                specs.append(try spec(entry))
                places.append(place)
            } catch {
                answers[place] = ["error": uploads.paths.shown(error.failure).detailedJSON]
            }
        }
        guard !specs.isEmpty else { return answers }
        let placed = try Refusal.attempt { () throws(Failure) in try queue.place(specs) }
        for (place, submission) in zip(places, placed) {
            if let fault = submission.fault {
                answers[place] = [
                    "id": .text(submission.id.rawValue),
                    "error": uploads.paths.shown(fault).detailedJSON,
                ]
            } else {
                uploads.touch(submission.spec)
                answers[place] = [
                    "id": .text(submission.id.rawValue),
                    "state": .text(state(of: submission).rawValue),
                    "created": .flag(submission.answer == .accepted),
                ]
            }
        }
        return answers
    }

    private func state(of submission: JobSubmission) -> JobState {
        if case .duplicate(let state) = submission.answer { return state }
        let isLater = submission.spec.notBefore.map { $0 > now() } ?? false
        return isLater ? .scheduled : .queued
    }

    private func refusal(_ answer: Acceptance, _ fault: Failure) -> Refusal {
        let fault = uploads.paths.shown(fault)
        return answer == .conflict ? Refusal(409, fault) : Refusal(fault)
    }
}

/// Segments of paths as they go on the wire.
enum PathText {
    /// Keeps what RFC 3986 calls unreserved.
    static func encoded(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                encoded += digits.utf8.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return encoded
    }
}
