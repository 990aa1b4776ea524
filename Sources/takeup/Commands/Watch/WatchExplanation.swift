import Foundation
import TakeupFiles
import TakeupIntake
import TakeupWatch
import TakeupWorker

/// Says why a file was taken or not, and what became of it.
struct WatchExplanation: Sendable {
    private let input: CommandInput
    private let places: StatePlaces
    private let style: OutputStyle

    init(_ input: CommandInput, _ places: StatePlaces, _ style: OutputStyle) {
        (self.input, self.places, self.style) = (input, places, style)
    }

    /// Answers by what the folder's settings say now and what its daemon has noted; changes nothing.
    ///
    /// - Throws: With 66 for a path in no watched folder, and as `WatchPlan` does.
    func tell(_ path: String, in context: CommandContext) throws(Failure) -> ExitCode {
        let name = context.absolute(path)
        let plan = try plan(in: context)
        do throws(WatchError) {
            var ledger: WatchLedger?
            if FileManager.default.fileExists(atPath: places.database) {
                ledger = try WatchLedger(path: places.database, now: context.wallClock)
            }
            let request = plan?.requests.first { WatchedPath(name, among: [$0.folder]) != nil }
            let folders = try Self.folders(request, ledger)
            guard let place = WatchedPath(name, among: folders), !place.path.isEmpty else {
                throw .unavailable(
                    path: name, reason: "it lies in no watched folder: name that folder too")
            }
            let file = try ledger?.file(place.path, in: place.folder)
            var points = try absence(request, place, ledger)
            if points.isEmpty {
                if let request { points = try rules(request, place, ledger, in: context) }
                if points.last?.isObstacle != true {
                    points += state(request, place, file, in: context)
                }
                points += try outputs(request, ledger)
            }
            points += try past(file, place, ledger)
            say(name, points, in: context)
            return .success
        } catch {
            throw Failure(error)
        }
    }

    /// Where the file can lie: in the folder that is asked about, or else in any that is known.
    private static func folders(
        _ request: WatchRequest?, _ ledger: WatchLedger?
    ) throws(WatchError) -> [String] {
        if let request { return [request.folder] }
        return try ledger?.folders() ?? []
    }

    /// nil when no folder is named and the configuration has none.
    private func plan(in context: CommandContext) throws(Failure) -> WatchPlan? {
        let isNamed =
            !input.arguments.isEmpty
            || !(input.settings.configuration?.folders.isEmpty ?? true)
        return isNamed ? try WatchPlan(input, in: context) : nil
    }

    /// What its name and the rules say.
    private func rules(
        _ request: WatchRequest, _ place: WatchedPath, _ ledger: WatchLedger?,
        in context: CommandContext
    ) throws(WatchError) -> [ExplanationPoint] {
        let ignored = try WatchRequest.ignoreFile(in: request.folder)
        let asides = Set(try ledger?.asides(in: request.folder) ?? [])
        let names = Folder.names(of: place.path)
        for index in names.indices {
            let path = names[...index].joined(separator: "/")
            let entry = ScanEntry(
                path: path, name: names[index], isFolder: index < names.count - 1)
            guard let reason = request.reasonToPassOver(entry, ignored, asides: asides) else {
                continue
            }
            return [
                ExplanationPoint(
                    question: "name", answer: "\(path): \(reason)", isObstacle: true)
            ]
        }
        let file = try ledger?.file(place.path, in: place.folder)
        return [ExplanationPoint(question: "name", answer: "taken")]
            + (try treatment(request, place, file, in: context))
    }

    /// What is made of it.
    private func treatment(
        _ request: WatchRequest, _ place: WatchedPath, _ file: WatchedFile?,
        in context: CommandContext
    ) throws(WatchError) -> [ExplanationPoint] {
        let bytes = mark(place)?.identity.bytes ?? file?.identity.bytes ?? 0
        let book = TreatmentBook(request, context)
        var facts = file?.facts
        if facts == nil { facts = try self.facts(of: place, book) }
        let choice = try book.choice(for: place.path, bytes: bytes, facts)
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
        if let identity = mark(place)?.identity ?? file?.identity,
            let output = try? request.output(of: place.path, identity, choice)
        {
            points.append(ExplanationPoint(question: "output", answer: output))
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
        return try FileProbe(MediaProbe()).examine(descriptor, place.path) { false }.facts
    }

    /// What its daemon has noted.
    private func past(
        _ file: WatchedFile?, _ place: WatchedPath, _ ledger: WatchLedger?
    ) throws(WatchError) -> [ExplanationPoint] {
        guard let file else {
            return [ExplanationPoint(question: "so far", answer: "nothing became of it")]
        }
        var points = [
            ExplanationPoint(
                question: "so far",
                answer: [file.state.rawValue, file.reason].compactMap(\.self).joined(
                    separator: ": "))
        ]
        if let job = file.job { points.append(ExplanationPoint(question: "job", answer: job)) }
        if let now = mark(place)?.identity, now != file.identity {
            points.append(
                ExplanationPoint(
                    question: "since then", answer: "the file has changed: it is looked at anew"))
        }
        let action = try ledger?.actions(in: place.folder).first { $0.path == place.path }
        if let action {
            points.append(
                ExplanationPoint(
                    question: "still to do",
                    answer: [action.kind.rawValue, action.reason].compactMap(\.self).joined(
                        separator: ": ")))
        }
        return points
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
