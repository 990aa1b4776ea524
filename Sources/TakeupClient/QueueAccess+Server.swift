internal import Foundation
package import TakeupJobs
internal import TakeupModel

/// What the API answers to several jobs.
private struct JobsDocument: Decodable {
    var jobs: [JobDocument]
    var next: String?
    var unreadable: Int?
}

/// What became of one of several jobs that were sent together.
private struct PlacedDocument: Decodable {
    var id: String?
    var state: JobState?
    var created: Bool?
    var error: JobDocument.Fault?

    /// Whether it is an answer about a job at all.
    var tells: Bool { id != nil && state != nil || error != nil }
}

private struct PlacedListDocument: Decodable {
    var jobs: [PlacedDocument]
}

/// The job that a server has changed.
private struct ChangedDocument: Decodable {
    var id: String
    var state: String
}

private struct PrunedDocument: Decodable {
    var pruned: Int
}

extension QueueAccess {
    /// Jobs of one question: some kilobytes each.
    private static let jobsAtOnce = 500

    /// The queue of a server.
    package init(_ client: ServerClient) {
        let place = { @Sendable (specs: [JobSpec]) throws(Failure) in
            try Self.place(specs, client)
        }
        let jobs = { @Sendable (filter: JobFilter) throws(Failure) in
            try Self.jobs(filter, client)
        }
        self.init(
            submit: { specs throws(Failure) in try place(specs).map(\.answer) },
            place: place,
            // The server gives ids away itself.
            settled: { specs throws(Failure) in specs },
            jobs: jobs,
            list: { listing throws(Failure) in try Self.list(listing, client) },
            states: { filter throws(Failure) in
                let records = try jobs(filter)
                return Dictionary(records.map { ($0.id, $0.state) }) { first, _ in first }
            },
            job: { id throws(Failure) in
                try client.find(Self.question(id), as: JobDocument.self)
                    .map { (document) throws(Failure) in try client.record(of: document) }
            },
            counts: { () throws(Failure) in
                let counts = try client.read(.init("/v1/jobs/counts"), as: [String: Int].self)
                return Dictionary(
                    counts.compactMap { name, count in JobState(rawValue: name).map { ($0, count) }
                    }
                ) { first, _ in first }
            },
            cancel: { id throws(Failure) in
                _ = try client.read(Self.question(id, "DELETE"), as: ChangedDocument.self)
            },
            retry: { id throws(Failure) in
                _ = try client.read(Self.question(id, "POST", "/retry"), as: ChangedDocument.self)
            },
            prune: { seconds throws(Failure) in
                let question = ServerClient.Question(
                    "POST", "/v1/jobs/prune", ["olderThan": .number(seconds)])
                return try client.read(question, as: PrunedDocument.self).pruned
            })
        workers = { () throws(Failure) in
            let document = try client.read(.init("/v1/workers"), as: WorkersDocument.self)
            guard let register = document.register else {
                throw Failure.unreadable("workers without a time", from: client.server)
            }
            return register
        }
        let news = JobNews(client)
        waitForNews = { id, seconds in await news.wait(for: id, seconds: seconds) }
    }

    private static func question(
        _ id: JobID, _ method: String = "GET", _ rest: String = ""
    ) -> ServerClient.Question {
        .init(method, "/v1/jobs/\(ServerClient.encoded(id.rawValue))\(rest)")
    }

    private static func place(
        _ specs: [JobSpec], _ client: ServerClient
    ) throws(Failure) -> [JobSubmission] {
        if specs.count == 1 { return [try place(specs[0], client)] }
        var placed: [JobSubmission] = []
        for start in stride(from: 0, to: specs.count, by: jobsAtOnce) {
            let part = specs[start..<min(start + jobsAtOnce, specs.count)]
            var requests: [JSONValue] = []
            for spec in part { requests.append(try spec.request()) }
            let answers = try client.read(
                submission(.list(requests)), as: PlacedListDocument.self
            ).jobs
            guard answers.count == part.count, answers.allSatisfy(\.tells) else {
                throw Failure.unreadable("another number of jobs", from: client.server)
            }
            placed += zip(part, answers).map(submission)
        }
        return placed
    }

    /// One job by itself, whose refusal says how a command ends with it.
    private static func place(
        _ spec: JobSpec, _ client: ServerClient
    ) throws(Failure) -> JobSubmission {
        do throws(Failure) {
            let answer = try client.ask(submission(try spec.request()))
            guard let job = try? JSONDecoder().decode(PlacedDocument.self, from: Data(answer.body)),
                job.tells
            else { throw Failure.unreadable("no job", from: client.server) }
            var placed = submission(spec, job)
            if answer.status == 200 { placed.answer = .duplicate(job.state ?? .queued) }
            return placed
        } catch {
            guard error.disposition == .giveUp, error.exitCode != .internalError else {
                throw error
            }
            return JobSubmission(spec: spec, answer: .refused(error))
        }
    }

    /// Sent again over another connection, it is answered as the first time.
    private static func submission(_ body: JSONValue) -> ServerClient.Question {
        var question = ServerClient.Question("POST", "/v1/jobs", body)
        // `UUID` needs a free descriptor, and gives the same one each time without.
        let key = (0..<2).map { _ in String(UInt64.random(in: 0 ... .max), radix: 16) }
        question.fields.append(("Idempotency-Key", "\"\(key.joined(separator: "-"))\""))
        return question
    }

    private static func submission(_ spec: JobSpec, _ answer: PlacedDocument) -> JobSubmission {
        var spec = spec
        if let id = answer.id { spec.id = JobID(rawValue: id) }
        if let fault = answer.error {
            let failure = Failure(
                exitCode: ExitCode(stated: fault.exitCode) ?? .outputNotCreated, code: fault.code,
                stage: fault.stage, message: fault.message, hint: fault.hint)
            return JobSubmission(spec: spec, answer: .refused(failure))
        }
        let isNew = answer.created ?? true
        return JobSubmission(
            spec: spec, answer: isNew ? .accepted : .duplicate(answer.state ?? .queued))
    }

    private static func jobs(
        _ filter: JobFilter, _ client: ServerClient
    ) throws(Failure) -> [JobRecord] {
        var members: [JSONValue.Member] = []
        if let states = filter.states {
            let names = states.map(\.rawValue).sorted().map(JSONValue.text)
            members.append(.init(key: "states", value: .list(names)))
        }
        if let time = filter.endedSince {
            members.append(.init(key: "endedSince", value: .number(time)))
        }
        guard let ids = filter.ids else {
            return try client.records(of: .object(members))
        }
        var found: [JobRecord] = []
        for start in stride(from: 0, to: ids.count, by: jobsAtOnce) {
            let part = ids[start..<min(start + jobsAtOnce, ids.count)]
            let names = JSONValue.list(part.map { .text($0.rawValue) })
            found += try client.records(of: .object(members + [.init(key: "ids", value: names)]))
        }
        return found
    }

    private static func list(
        _ listing: JobListing, _ client: ServerClient
    ) throws(Failure) -> JobPage {
        var question = ServerClient.Question("/v1/jobs")
        for state in (listing.states ?? []).map(\.rawValue).sorted() {
            question.query.append(("state", state))
        }
        if let time = listing.acceptedSince {
            question.query.append(("since", Timestamp.iso(max(0, time)) ?? "0"))
        }
        if let source = listing.source { question.query.append(("source", source.place)) }
        if let preset = listing.preset { question.query.append(("preset", preset)) }
        if let prefix = listing.idPrefix { question.query.append(("idPrefix", prefix)) }
        if let search = listing.search { question.query.append(("find", search.text)) }
        if let cursor = listing.after { question.query.append(("after", "\(cursor)")) }
        question.query.append(("limit", "\(listing.limit)"))
        let page = try client.read(question, as: JobsDocument.self)
        let next = page.next.flatMap { JobCursor($0) }
        guard next == nil || next != listing.after else {
            throw Failure.unreadable("the same page again", from: client.server)
        }
        var records: [JobRecord] = []
        for document in page.jobs { records.append(try client.record(of: document)) }
        return JobPage(
            records: records, next: next, unreadable: page.unreadable ?? 0)
    }
}

extension ServerClient {
    fileprivate func record(of document: JobDocument) throws(Failure) -> JobRecord {
        guard let record = document.record else {
            throw Failure.unreadable("a job without its place in the list", from: server)
        }
        return record
    }

    fileprivate func records(of filter: JSONValue) throws(Failure) -> [JobRecord] {
        let page = try read(
            Question("POST", "/v1/jobs/lookup", filter), as: JobsDocument.self)
        var records: [JobRecord] = []
        for document in page.jobs { records.append(try record(of: document)) }
        return records
    }
}
