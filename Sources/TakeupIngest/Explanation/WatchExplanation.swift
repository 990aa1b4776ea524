package import TakeupJobs
package import TakeupMediaClient
internal import Foundation
internal import TakeupFiles
internal import TakeupIntake
internal import TakeupModel
package import TakeupWatch
internal import TakeupWorker

/// Says why a file was taken or not, and what became of it.
package struct WatchExplanation: Sendable {
    private let ledger: WatchLedger?
    private let queue: QueueAccess?
    let clock: WatchClock
    let trash: Trash
    private let helper: HelperConfiguration
    private let shared: [(path: String, name: String)]

    /// - Parameters:
    ///   - ledger: nil if nothing was ever watched.
    ///   - queue: nil if it cannot be asked.
    ///   - clock: The times to go by.
    ///   - trash: Where sources may have gone.
    ///   - helper: Looks into a file that a rule asks about.
    ///   - shared: The daemon's own folders, each with a name for people.
    package init(
        _ ledger: WatchLedger?, _ queue: QueueAccess?, clock: WatchClock, trash: Trash,
        helper: HelperConfiguration, shared: [(path: String, name: String)]
    ) {
        (self.ledger, self.queue, self.clock) = (ledger, queue, clock)
        (self.trash, self.helper, self.shared) = (trash, helper, shared)
    }

    /// Answers by what the folder's settings say now and what its daemon has noted; changes nothing.
    package func points(_ asked: ExplainedFile) throws(WatchError) -> [ExplanationPoint] {
        let (place, request) = (asked.place, asked.request)
        let trace = FileTrace(request: request, ledger: ledger, queue: queue)
        let origin = try origin(of: place, request, trace)
        let own = try origin == nil ? ledger?.lastFile(place.path, in: place.folder) : origin?.file
        let history = try FileHistory(of: own, at: origin?.place ?? place, ledger, queue)
        let found = FoundFile(at: place)
        var points = [asked.settingsPoint].compactMap(\.self)
        let absence = try absence(request, place, ledger)
        points += absence
        if absence.isEmpty {
            if origin == nil, found == .nothing, history.file == nil,
                let file = try trace.renamed(place)
            {
                return try points + renamed(to: file, ledger, queue)
            }
            points += try rules(asked, found, history)
            if points.last?.isObstacle != true {
                points += state(request, place, found, history)
            }
            points += try outputs(request, ledger)
        }
        guard let origin else { return points + history.points(found) }
        points.append(
            ExplanationPoint(
                question: "before", answer: "\(origin.place.path), \(origin.words)"))
        // A move has changed its times.
        return points + history.points(.nothing)
    }

    /// What is said of a name that a file had before it was renamed.
    private func renamed(
        to file: WatchedFile, _ ledger: WatchLedger?, _ queue: QueueAccess?
    ) throws(WatchError) -> [ExplanationPoint] {
        let place = WatchedPath(folder: file.folder, path: file.path)
        return [ExplanationPoint(question: "file", answer: "it was renamed to \(file.path)")]
            + (try FileHistory(of: file, at: place, ledger, queue).points(.nothing))
    }

    /// A source that lies where sources go.
    private struct Origin {
        /// Under which name it was taken.
        let place: WatchedPath
        let words: String
        /// nil when nothing is known of it.
        let file: WatchedFile?
    }

    /// Which file it was before it was moved to where sources go; nil for one that lies elsewhere.
    private func origin(
        of place: WatchedPath, _ request: WatchRequest, _ trace: FileTrace
    ) throws(WatchError) -> Origin? {
        let folders = [
            (request.done, "moved here once it was done"),
            (request.failed, "moved here as it had failed"),
        ]
        for (folder, words) in folders {
            guard let inner = Folder.path(from: folder, to: "\(place.folder)/\(place.path)"),
                !inner.isEmpty
            else { continue }
            // Where there is no file, what had the name is told.
            guard FoundFile(at: place).mark != nil else {
                let before = WatchedPath(folder: place.folder, path: inner)
                let file = try trace.ledger?.lastFile(inner, in: place.folder)
                return Origin(place: before, words: words, file: file)
            }
            let file = try trace.moved(to: place, as: inner)
            let before = WatchedPath(folder: place.folder, path: file?.path ?? inner)
            return Origin(place: before, words: words, file: file)
        }
        return nil
    }

    /// What its name and the rules say.
    private func rules(
        _ asked: ExplainedFile, _ found: FoundFile, _ history: FileHistory
    ) throws(WatchError) -> [ExplanationPoint] {
        let request = asked.request
        let ignored = try WatchRequest.ignoreFile(in: request.folder)
        let asides = Set(try ledger?.asides(in: request.folder) ?? [])
        let names = Folder.names(of: asked.place.path)
        var isFile = true
        if case .passedOver = found { isFile = false }
        // What is no file is told for what it is, under whatever name.
        for index in names.indices.dropLast(isFile ? 0 : 1) {
            let path = names[...index].joined(separator: "/")
            let entry = ScanEntry(
                path: path, name: names[index], isFolder: index < names.count - 1)
            let reason =
                request.reasonToPassOver(entry, ignored, asides: asides)
                ?? (entry.isFolder ? refusal(of: path, request) : nil)
            guard let reason else { continue }
            return [
                ExplanationPoint(
                    question: "name", answer: "\(path): \(reason)", isObstacle: true)
            ]
        }
        let name = ExplanationPoint(question: "name", answer: "taken")
        // What is no file has no preset, and without the settings it is not known.
        guard isFile else { return [] }
        if asked.settings == .unknown { return [name] }
        do throws(WatchError) {
            return [name] + (try policy(request, asked.place, found, history))
        } catch {
            guard case .unreadable = error else { throw error }
            return [
                name,
                ExplanationPoint(question: "settings file", answer: "\(error)", isObstacle: true),
            ]
        }
    }

    /// Why a folder is not looked into, by what it is or holds.
    private func refusal(of path: String, _ request: WatchRequest) -> String? {
        if AsideMark.isOn(path, below: request.folder) {
            return PassedOver.aside.reason
        }
        let own = OwnPlaces([request], shared: shared)
        own.look(for: request.folder)
        return FilePlace(path: "\(request.folder)/\(path)").flatMap { own.refusal(of: $0) }
    }

    /// What is made of it.
    private func policy(
        _ request: WatchRequest, _ place: WatchedPath, _ found: FoundFile, _ history: FileHistory
    ) throws(WatchError) -> [ExplanationPoint] {
        let identity = found.mark?.identity ?? history.file?.identity
        let book = FolderPolicyResolver(request, clock: clock.forward)
        var facts = history.file?.identity == identity ? history.file?.facts : nil
        if facts == nil { facts = try self.facts(of: place, book) }
        let choice = try book.choice(for: place.path, bytes: identity?.bytes ?? 0, facts)
        var points = choice.decision.misses.map {
            ExplanationPoint(question: "rule \($0.rule)", answer: "does not hold: \($0.reason)")
        }
        if let rule = choice.decision.rule {
            points.append(ExplanationPoint(question: "rule \(rule)", answer: "holds"))
        }
        if let reason = choice.skip {
            return points + [
                ExplanationPoint(question: "skipped", answer: reason, isObstacle: true)
            ]
        }
        points.append(ExplanationPoint(question: "preset", answer: choice.options.preset))
        let work = try book.work(choice, for: place.path)
        points += history.renewal(found, work, on: request.settings.onWorkChange)
        if work == history.file?.work || request.settings.onWorkChange == .ignore {
            points += history.stay(found, choice.policy.after)
        }
        // The one that there is already is told by its own name.
        if history.output(found) == nil, let identity,
            let output = try? request.output(of: place.path, identity, choice)
        {
            let isThere = access(output, F_OK) == 0
            points.append(
                ExplanationPoint(
                    question: "output", answer: isThere ? output : "\(output), which is not there"))
        }
        return points
    }

    /// What rules ask for, found out as the daemon would.
    private func facts(
        of place: WatchedPath, _ book: FolderPolicyResolver
    ) throws(WatchError) -> FileFacts? {
        guard try book.policy(for: place.path).needsMedia else { return nil }
        let descriptor = AnchoredPath.open(
            place.path, below: place.folder, O_RDONLY | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return try FileProbe(MediaProbe(helper)).examine(descriptor, place.path) { false }.facts
    }
}
