internal import Foundation
internal import TakeupFiles
internal import TakeupModel
package import TakeupWatch

/// What one look at the disk tells; nothing is changed by it.
extension WatchExplanation {
    /// Why the watched folder is not there; empty when it is.
    package func absence(
        _ request: WatchRequest, _ place: WatchedPath, _ ledger: WatchLedger?
    ) throws(WatchError) -> [ExplanationPoint] {
        let memory = try ledger?.memory(of: place.folder).flatMap {
            try? JSONDecoder().decode(RootMemory.self, from: Data($0.utf8))
        }
        var root = try WatchRoot(
            place.folder, anchor: request.settings.anchor, memory: memory)
        do throws(WatchError) {
            _ = try root.open()
            return []
        } catch {
            return [
                ExplanationPoint(
                    question: "watched folder", answer: Failure(error).message, isObstacle: true)
            ]
        }
    }

    /// Why no output can be written; empty when they can.
    package func outputs(
        _ request: WatchRequest, _ ledger: WatchLedger?
    ) throws(WatchError) -> [ExplanationPoint] {
        guard let path = request.output else { return [] }
        var root = try OutputRoot(path, memory: try ledger?.outputMemory(of: path))
        guard let reason = root.absence ?? root.refusal()?.reasonOfFolder else { return [] }
        return [
            ExplanationPoint(
                question: "output folder", answer: "\(path) cannot be used now: \(reason)",
                isObstacle: true)
        ]
    }

    /// Whether it is whole, as far as one look tells.
    package func state(
        _ request: WatchRequest, _ place: WatchedPath, _ found: FoundFile,
        _ history: FileHistory
    ) -> [ExplanationPoint] {
        guard let mark = found.mark else {
            let kept = found == .nothing ? departure(request, history) : nil
            return [kept ?? found.obstacle].compactMap(\.self)
        }
        var points: [ExplanationPoint] = []
        let changed = Double(mark.identity.modifiedNanoseconds) / 1e9
        let now = clock.wall()
        // Other clocks may be ahead.
        points.append(
            ExplanationPoint(
                question: "changed", answer: Timestamp.relative(min(changed, now), now: now)))
        if mark.identity.bytes == 0 {
            points.append(
                ExplanationPoint(
                    question: "size", answer: "it is empty, and is taken once it holds something",
                    isObstacle: true))
        }
        // What is known as it is now waits for nothing.
        if history.file?.identity != mark.identity {
            points += wait(request, place, mark, now: now).points
        }
        if let refusal = Self.refusal(to: place) {
            // Who may not read it cannot know who writes.
            return points + [refusal]
        }
        let writers = Writers.ofFile(at: place.path, below: place.folder)
        let words: [Writers: String] = [
            .none: "by nobody", .some: "by somebody", .unknown: "cannot be known",
        ]
        points.append(
            ExplanationPoint(
                question: "open for writing", answer: words[writers] ?? "",
                isObstacle: writers == .some))
        return points
    }

    /// Why it cannot be read by who asks; nil when it can.
    private static func refusal(to place: WatchedPath) -> ExplanationPoint? {
        let file = AnchoredPath.open(place.path, below: place.folder, O_RDONLY | O_NONBLOCK)
        guard file < 0 else {
            close(file)
            return nil
        }
        return refusal(errno: errno)
    }

    /// What the errno of an open for reading says; nil where somebody writes, which has words of its own.
    package static func refusal(errno: Int32) -> ExplanationPoint? {
        guard errno != EWOULDBLOCK else { return nil }
        return ExplanationPoint(
            question: "readable", answer: "no: \(String(cString: strerror(errno)))",
            isObstacle: true)
    }

    /// Where a source went once its job had ended; nil when it was left where it was.
    private func departure(
        _ request: WatchRequest, _ history: FileHistory
    ) -> ExplanationPoint? {
        guard let file = history.file, let kind = file.acted else { return nil }
        let actions = SourceActions(
            doneFolder: request.done, failedFolder: request.failed,
            trash: trash, note: { _ in [] },
            holdsSame: { (descriptor, action) throws(WatchError) in
                try Fingerprint.ofFile(descriptor, path: action.path) == action.fingerprint
            })
        let action = SourceAction(of: file, job: file.job ?? "", kind: kind)
        let path = (try? actions.pathMoved(by: action)) ?? nil
        return ExplanationPoint(
            question: "file", answer: kind.past + (path.map { " to \($0)" } ?? ""))
    }

    private func wait(
        _ request: WatchRequest, _ place: WatchedPath, _ mark: FileMark, now: Double
    ) -> FileWait {
        let settings = StabilitySettings(
            isNetwork: FileSystemKind.network(place.folder) != nil,
            stableSeconds: request.settings.stableSeconds)
        var wait = FileWait(
            path: place.path, stableSeconds: settings.stableSeconds,
            ageSeconds: Self.age(mark, now: now))
        wait.marker = request.settings.marker
        wait.isMarkerThere = wait.marker.isReady(place.path) { path in
            ((try? FileMark.of(path, below: place.folder)) ?? nil) != nil
        }
        wait.sideCars = sideCars(place, now: now)
        return wait
    }

    /// The sound and subtitles of a film, as the daemon finds them.
    private func sideCars(_ place: WatchedPath, now: Double) -> [FileWait.SideCar] {
        let names = Folder.names(of: place.path)
        let folder = names.dropLast().joined(separator: "/")
        let root = open(place.folder, AnchoredPath.placeOnly | O_DIRECTORY | O_CLOEXEC)
        guard root >= 0, let name = names.last else { return [] }
        defer { close(root) }
        guard let others = try? Folder.names(in: folder.isEmpty ? "." : folder, of: root) else {
            return []
        }
        return SideCars(others).of(name).compactMap { other in
            let path = folder.isEmpty ? other : "\(folder)/\(other)"
            let mark = (try? FileMark.of(path, in: root)) ?? nil
            return mark.map { FileWait.SideCar(name: other, ageSeconds: Self.age($0, now: now)) }
        }
    }

    /// Seconds since the file's last change; 0 if that time is in the future.
    private static func age(_ mark: FileMark, now: Double) -> Double {
        let latest = max(mark.identity.modifiedNanoseconds, mark.identity.changedNanoseconds)
        return max(0, now - Double(latest) / 1e9)
    }
}
