import TakeupMediaClient
import Foundation
import TakeupFiles
import TakeupIntake
import TakeupWatch
import TakeupWorker

/// Says why a file was taken or not, and what became of it.
struct WatchExplanation: Sendable {
    private let input: CommandInput
    let places: StatePlaces
    private let style: OutputStyle

    init(_ input: CommandInput, _ places: StatePlaces, _ style: OutputStyle) {
        (self.input, self.places, self.style) = (input, places, style)
    }

    /// Answers by what the folder's settings say now and what its daemon has noted; changes nothing.
    ///
    /// - Throws: As `ExplainedFile` and `WatchPlan` do.
    func tell(_ path: String, in context: CommandContext) throws(Failure) -> ExitCode {
        let name = context.absolute(path)
        do {
            var ledger: WatchLedger?
            if FileManager.default.fileExists(atPath: places.database) {
                ledger = try WatchLedger(path: places.database, now: context.wallClock)
            }
            let asked = try ExplainedFile(name, input, ledger, in: context)
            say(name, try points(asked, ledger, in: context), in: context)
            return .success
        } catch {
            throw Failure(of: error)
        }
    }

    private func points(
        _ asked: ExplainedFile, _ ledger: WatchLedger?, in context: CommandContext
    ) throws(WatchError) -> [ExplanationPoint] {
        let (place, request) = (asked.place, asked.request)
        let queue = queue(in: context)
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
            points += try rules(asked, found, history, ledger, in: context)
            if points.last?.isObstacle != true {
                points += state(request, place, found, history, in: context)
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

    /// nil where there is none yet, or it cannot be asked.
    private func queue(in context: CommandContext) -> QueueAccess? {
        guard FileManager.default.fileExists(atPath: places.database) else { return nil }
        return try? context.openQueue(places)
    }

    /// What its name and the rules say.
    private func rules(
        _ asked: ExplainedFile, _ found: FoundFile, _ history: FileHistory,
        _ ledger: WatchLedger?, in context: CommandContext
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
            return [name] + (try treatment(request, asked.place, found, history, in: context))
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
            return TakeupWatch.PassedOver.aside.reason
        }
        let own = OwnPlaces(
            [request],
            shared: [(places.home, "the folder of the database"), (places.cache, "the cache")])
        own.look(for: request.folder)
        return FilePlace(path: "\(request.folder)/\(path)").flatMap { own.refusal(of: $0) }
    }

    /// What is made of it.
    private func treatment(
        _ request: WatchRequest, _ place: WatchedPath, _ found: FoundFile, _ history: FileHistory,
        in context: CommandContext
    ) throws(WatchError) -> [ExplanationPoint] {
        let identity = found.mark?.identity ?? history.file?.identity
        let book = TreatmentBook(request, context)
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
            points += history.stay(found, choice.treatment.after)
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
        of place: WatchedPath, _ book: TreatmentBook
    ) throws(WatchError) -> FileFacts? {
        guard try book.treatment(for: place.path).needsMedia else { return nil }
        let descriptor = AnchoredPath.open(
            place.path, below: place.folder, O_RDONLY | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var helper = HelperConfiguration()
        helper.requiresSandbox = input.isOn(SandboxDemand.option)
        return try FileProbe(MediaProbe(helper)).examine(descriptor, place.path) { false }.facts
    }

    private func say(_ path: String, _ points: [ExplanationPoint], in context: CommandContext) {
        if style.isJSON {
            let list = points.map { point -> JSONValue in
                [
                    "question": .text(point.question), "answer": .text(point.answer),
                    "obstacle": .flag(point.isObstacle),
                ]
            }
            return context.print(
                ["type": "explanation", "path": .text(path), "points": .list(list)])
        }
        context.print(path.escaped)
        let rows = points.map { [$0.question, $0.answer.escaped] }
        TextTable.lines(rows, indent: "  ").forEach(context.print)
    }
}
