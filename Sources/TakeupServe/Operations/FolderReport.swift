internal import TakeupFiles
internal import TakeupJobs
internal import TakeupModel
internal import TakeupWatch

/// The watched folders of this machine as the ledger knows them: which files wait, and why.
struct FolderReport {
    /// Files of one folder that are told.
    private static let mostFiles = 200

    private let tools: ServeTools

    init(_ tools: ServeTools) { self.tools = tools }

    func folders() throws(Failure) -> [JSONValue] {
        guard let ledger = try tools.desk.ledger() else { return [] }
        let (folders, backlog) = try attempt { () throws(WatchError) in
            (try ledger.folders(), try ledger.backlog())
        }
        var reports: [JSONValue] = []
        for folder in folders {
            let (handed, failed) = try attempt { () throws(WatchError) in
                (try ledger.handed(in: folder), try ledger.failed(in: folder))
            }
            let files = try waiting(handed) + failed.map { file(of: $0, why: $0.reason) }
            reports.append([
                "path": .text(folder), "handed": .whole(handed.count),
                "failed": .whole(failed.count),
                "actionsWaiting": .whole(backlog.actions[folder] ?? 0),
                "files": .list(Array(files.prefix(Self.mostFiles))),
                "more": .whole(max(0, handed.count + failed.count - Self.mostFiles)),
            ])
        }
        return reports
    }

    /// Files that have a job, with what their jobs wait for.
    private func waiting(_ handed: [WatchedFile]) throws(Failure) -> [JSONValue] {
        let told = handed.prefix(Self.mostFiles)
        let ids = told.compactMap { $0.job.map(JobID.init(rawValue:)) }
        var records: [String: JobRecord] = [:]
        for record in ids.isEmpty ? [] : try tools.queue.jobs(JobFilter(ids: ids)) {
            records[record.id.rawValue] = record
        }
        return told.map { handed in
            let record = handed.job.flatMap { records[$0] }
            return file(
                of: handed, why: record?.reason(now: nil) ?? "its job is not known here",
                state: record?.state)
        }
    }

    private func file(
        of watched: WatchedFile, why: String?, state: JobState? = nil
    ) -> JSONValue {
        [
            "path": .text(watched.path), "state": .text(watched.state.rawValue),
            "job": .text(optional: watched.job), "jobState": .text(optional: state?.rawValue),
            "why": .text(optional: why), "bytes": .integer(watched.identity.bytes),
        ]
    }

    private func attempt<Value>(
        _ body: () throws(WatchError) -> Value
    ) throws(Failure) -> Value {
        do throws(WatchError) { return try body() } catch { throw Failure(error) }
    }
}
