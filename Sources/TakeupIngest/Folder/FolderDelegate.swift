internal import Foundation
internal import TakeupFiles
internal import TakeupJobs
package import TakeupWatch

/// What a folder's watcher leaves to those who know media and jobs; confined to one lane.
package final class FolderDelegate {
    package let request: WatchRequest
    package let book: FolderPolicyResolver
    package let tools: WatchTools
    package let hooks: WatchHooks
    package let life: FolderLife
    package let probe: FileProbe
    /// nil for the cache alone.
    package let output: OutputGuard?
    /// Folders inside this one that sources have been moved to; absolute.
    package private(set) var asides: Set<String>
    private var ignored = IgnoreFile()

    package init(
        _ request: WatchRequest, _ book: FolderPolicyResolver, _ tools: WatchTools,
        _ hooks: WatchHooks,
        _ life: FolderLife, _ probe: FileProbe
    ) throws(WatchError) {
        (self.request, self.book, self.tools) = (request, book, tools)
        (self.hooks, self.life, self.probe) = (hooks, life, probe)
        output = try request.output.map { path throws(WatchError) in
            try OutputGuard(path, tools.ledger)
        }
        asides = Set(try tools.ledger.asides(in: request.folder))
        // Those of earlier versions, as far as that can be: the ledger knows them in any case.
        for path in asides where access(path, F_OK) == 0 { try? mark(path) }
    }

    private func mark(_ path: String) throws(WatchError) {
        guard let inner = Folder.path(from: request.folder, to: path) else { return }
        try AsideMark.put(in: inner, below: request.folder)
    }

    /// Notes a folder before the first source goes there.
    package func noteAside(_ path: String) throws(WatchError) {
        guard !asides.contains(path) else { return }
        try tools.ledger.noteAside(path, in: request.folder)
        try mark(path)
        asides.insert(path)
    }

    /// As the watcher asks for them.
    package var all: WatchDelegate {
        var duties = WatchDelegate(
            prepare: { [self] () throws(WatchError) in
                ignored = try WatchRequest.ignoreFile(in: request.folder)
                return book.refresh()
            },
            reasonToPassOver: { [self] entry in
                request.reasonToPassOver(entry, ignored, asides: asides)
            },
            wish: { [self] (path, mark, facts) throws(WatchError) in
                try book.wish(for: path, bytes: mark.identity.bytes, facts)
            },
            examine: { [self] (path, descriptor, writers) throws(WatchError) in
                guard writers == .unknown || needsFacts(path) else { return nil }
                return try probe.examine(descriptor, path, isStopped: { life.isStopped })
            },
            hand: { [self] (file) throws(WatchError) in
                try output?.require()
                return try WatchedFolder.hand(file, request, book, tools.queue)
            },
            fingerprint: { [self] (descriptor) throws(WatchError) in
                try Fingerprint.ofFile(descriptor, path: request.folder)
            },
            tell: { [self] note in WatchLog(tools.log, request.folder).tell(note) })
        duties.refusal = { [life] in life.places.refusal(of: $0) }
        duties.enter = { [self] folder in
            guard let error = book.newFault(in: folder) else { return }
            WatchLog(tools.log, request.folder).tell(settings: error)
        }
        duties.notices = { [hooks] (file) throws(WatchError) in
            try hooks.notices(file.state == .handed ? .queued : .skipped, of: file)
        }
        duties.action = { [self] (file) throws(WatchError) in
            guard let id = file.jobID,
                let result = try WatchedFolder.job(id, in: tools.queue)?.result,
                let wanted = try book.policy(for: file.path).after,
                WatchedFolder.loss(result, for: wanted) == nil
            else { return nil }
            return SourceAction(of: file, job: id.rawValue, kind: wanted)
        }
        duties.obstacle = { [self] in
            output?.obstacle.map { "the folder of its output cannot be used now: \($0)" }
        }
        duties.needsFacts = { [self] path in needsFacts(path) }
        duties.isStopped = { [life] in life.isStopped }
        return duties
    }

    private func needsFacts(_ path: String) -> Bool {
        (try? book.policy(for: path))?.needsMedia ?? false
    }
}
