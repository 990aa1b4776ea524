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

    /// One question about a file and its answer.
    private struct Point {
        let question: String
        let answer: String
        /// Whether it keeps the file from being taken.
        var isObstacle = false
    }

    init(_ input: CommandInput, _ places: StatePlaces, _ style: OutputStyle) {
        (self.input, self.places, self.style) = (input, places, style)
    }

    /// Answers by what the folder's settings say now and what its daemon has noted; changes nothing.
    ///
    /// - Throws: With 66 for a path in no watched folder.
    func tell(_ path: String, in context: CommandContext) throws(Failure) -> ExitCode {
        let name = context.absolute(path)
        do throws(WatchError) {
            var ledger: WatchLedger?
            if FileManager.default.fileExists(atPath: places.database) {
                ledger = try WatchLedger(path: places.database, now: context.wallClock)
            }
            let request = try plan(in: context)?.requests.first {
                WatchedPath(name, among: [$0.folder]) != nil
            }
            let folders = try Self.folders(request, ledger)
            guard let place = WatchedPath(name, among: folders), !place.path.isEmpty else {
                throw .unavailable(
                    path: name, reason: "it lies in no watched folder: name that folder too")
            }
            let file = try ledger?.file(place.path, in: place.folder)
            var points: [Point] = []
            if let request { points = try rules(request, place, file, in: context) }
            if points.last?.isObstacle != true { points += state(place, in: context) }
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
    private func plan(in context: CommandContext) throws(WatchError) -> WatchPlan? {
        let isNamed =
            !input.arguments.isEmpty
            || !(input.settings.configuration?.folders.isEmpty ?? true)
        guard isNamed else { return nil }
        do throws(Failure) {
            return try WatchPlan(input, in: context)
        } catch {
            throw .unreadable(setting: "the configuration", reason: error.message)
        }
    }

    /// What its name and the rules say.
    private func rules(
        _ request: WatchRequest, _ place: WatchedPath, _ file: WatchedFile?,
        in context: CommandContext
    ) throws(WatchError) -> [Point] {
        let ignored = try WatchRequest.ignoreFile(in: request.folder)
        let names = Folder.names(of: place.path)
        for index in names.indices {
            let path = names[...index].joined(separator: "/")
            let entry = ScanEntry(
                path: path, name: names[index], isFolder: index < names.count - 1)
            guard let reason = request.reasonToPassOver(entry, ignored) else { continue }
            return [Point(question: "name", answer: "\(path): \(reason)", isObstacle: true)]
        }
        var points = [Point(question: "name", answer: "taken")]
        let bytes = mark(place)?.identity.bytes ?? file?.identity.bytes ?? 0
        let book = TreatmentBook(request, context)
        var facts = file?.facts
        if facts == nil { facts = try self.facts(of: place, book) }
        let choice = try book.choice(for: place.path, bytes: bytes, facts)
        points += choice.decision.misses.map {
            Point(question: "rule \($0.rule)", answer: "does not hold: \($0.reason)")
        }
        if let rule = choice.decision.rule {
            points.append(Point(question: "rule \(rule)", answer: "holds"))
        }
        if let reason = choice.skip {
            return points + [Point(question: "skipped", answer: reason, isObstacle: true)]
        }
        points.append(Point(question: "preset", answer: choice.options.preset))
        if let identity = mark(place)?.identity ?? file?.identity,
            let output = try? request.output(of: place.path, identity, choice)
        {
            points.append(Point(question: "output", answer: output))
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

    private func mark(_ place: WatchedPath) -> FileMark? {
        (try? FileMark.of(place.path, below: place.folder)) ?? nil
    }

    /// Whether it is whole, as far as one look tells.
    private func state(_ place: WatchedPath, in context: CommandContext) -> [Point] {
        guard let mark = mark(place) else {
            return [
                Point(question: "file", answer: "there is no such regular file", isObstacle: true)
            ]
        }
        var points: [Point] = []
        let changed = Double(mark.identity.modifiedNanoseconds) / 1e9
        let age = max(0, context.wallClock() - changed)
        points.append(Point(question: "changed", answer: "\(Int(age)) seconds ago"))
        if mark.identity.bytes == 0 {
            points.append(Point(question: "size", answer: "it is empty", isObstacle: true))
        }
        let writers = Writers.ofFile(at: place.path, below: place.folder)
        let words: [Writers: String] = [
            .none: "by nobody", .some: "by somebody", .unknown: "cannot be known",
        ]
        points.append(
            Point(
                question: "open for writing", answer: words[writers] ?? "",
                isObstacle: writers == .some))
        return points
    }

    /// What its daemon has noted.
    private func past(
        _ file: WatchedFile?, _ place: WatchedPath, _ ledger: WatchLedger?
    ) throws(WatchError) -> [Point] {
        guard let file else {
            return [Point(question: "so far", answer: "nothing became of it")]
        }
        var points = [
            Point(
                question: "so far",
                answer: [file.state.rawValue, file.reason].compactMap(\.self).joined(
                    separator: ": "))
        ]
        if let job = file.job { points.append(Point(question: "job", answer: job)) }
        if let now = mark(place)?.identity, now != file.identity {
            points.append(
                Point(question: "since then", answer: "the file has changed: it is looked at anew"))
        }
        let action = try ledger?.actions(in: place.folder).first { $0.path == place.path }
        if let action {
            points.append(
                Point(
                    question: "still to do",
                    answer: [action.kind.rawValue, action.reason].compactMap(\.self).joined(
                        separator: ": ")))
        }
        return points
    }

    private func say(_ path: String, _ points: [Point], in context: CommandContext) {
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
