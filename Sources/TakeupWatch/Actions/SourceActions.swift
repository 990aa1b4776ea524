internal import Foundation
internal import TakeupFiles

/// Moves, removes and replaces sources whose outputs stand, and sets those aside of which nothing came.
///
/// Each can be killed at any point and be performed again: nothing is lost, and nothing else than what was encoded goes.
/// Calls block.
public struct SourceActions: Sendable {
    /// Where moved sources go, each to its place in the tree; absolute.
    let doneFolder: String
    /// Where those of failed jobs go; absolute.
    let failedFolder: String
    let trash: Trash
    /// What is written beside a source that is set aside.
    let note: @Sendable (SourceAction) throws(WatchError) -> [UInt8]
    /// Whether a file holds what was encoded, when its times have changed since.
    let holdsSame: @Sendable (Int32, SourceAction) throws(WatchError) -> Bool

    /// - Parameters:
    ///   - doneFolder: Where moved sources go, each to its place in the tree; absolute.
    ///   - failedFolder: Where those of failed jobs go; absolute.
    ///   - trash: Where thrown ones go.
    ///   - note: What is written beside a source that is set aside, as `NAME.json`.
    ///   - holdsSame: Reads an open file and says whether its content is what was encoded; asked only when its times
    ///     alone are others, as after a change of rights.
    public init(
        doneFolder: String, failedFolder: String, trash: Trash,
        note: @escaping @Sendable (SourceAction) throws(WatchError) -> [UInt8],
        holdsSame: @escaping @Sendable (Int32, SourceAction) throws(WatchError) -> Bool
    ) {
        (self.doneFolder, self.failedFolder) = (doneFolder, failedFolder)
        (self.trash, self.note, self.holdsSame) = (trash, note, holdsSame)
    }

    /// Does with a source what its action says, if it is still the one.
    ///
    /// - Parameters:
    ///   - action: What, and of which file.
    ///   - output: The finished file that takes the source's place, for `.replace`.
    /// - Returns: What became of it; `.changed` and `.gone` are ends too.
    /// - Throws: `WatchError`; everything is as it was then, or the action goes on where it stands when it is tried again.
    public func perform(
        _ action: SourceAction, output: FinishedOutput? = nil
    ) throws(WatchError) -> SourceOutcome {
        guard let source = try SourceFile(action.path, in: action.folder) else {
            if let path = try pathMoved(by: action) { return .done(at: path) }
            return try clearHeld(action) ? .done(at: nil) : .gone
        }
        guard try isSame(source, action) else {
            // After a kill the output, or another file, may have the source's name already.
            guard try clearHeld(action, in: source.folder) else { return .changed }
            return .done(at: action.kind == .replace ? source.path : nil)
        }
        switch action.kind {
        case .move:
            let place = try place(in: doneFolder, for: action)
            try takeAlong(source, to: place.folder)
            return try move(source, to: place, action)
        case .setAside:
            let place = try place(in: failedFolder, for: action)
            try takeAlong(source, to: place.folder)
            return try setAside(source, to: place, action)
        case .trash:
            let bin = try trash.place(for: source, in: action.folder)
            let outcome = try move(source, to: bin.file, action)
            if case .done(let target?) = outcome { try bin.note(target, of: source.path) }
            return outcome
        case .delete: return try remove(source, action) ? .done(at: nil) : .changed
        case .replace:
            guard let output else { throw .failed(path: source.path, errno: EINVAL) }
            return try replace(source, by: output, action)
        }
    }

    /// Disks have other numbers after a restart; an inode does not.
    private func isSame(_ source: SourceFile, _ action: SourceAction) throws(WatchError) -> Bool {
        guard let now = source.identity else { return false }
        let then = action.identity
        guard (now.inode, now.bytes) == (then.inode, then.bytes) else { return false }
        if now == then { return true }
        return try holdsSame(source.descriptor, action)
    }

    /// Removes what an action that was killed had taken out of the way.
    ///
    /// - Returns: Whether there was something.
    private func clearHeld(_ action: SourceAction) throws(WatchError) -> Bool {
        let above = Folder.containing(action.path)
        let held = SourceFile.heldName(job: action.job)
        let path = above == "." ? held : "\(above)/\(held)"
        guard let source = try SourceFile(path, in: action.folder) else { return false }
        return try clear(source, action)
    }

    private func clearHeld(
        _ action: SourceAction, in folder: OpenFolder
    ) throws(WatchError) -> Bool {
        let held = SourceFile.heldName(job: action.job)
        guard let source = try SourceFile(held, in: folder) else { return false }
        return try clear(source, action)
    }

    private func clear(_ held: SourceFile, _ action: SourceAction) throws(WatchError) -> Bool {
        guard try isSame(held, action) else { return false }
        try removeName(held.name, in: held.folder)
        return true
    }

    private func removeName(_ name: String, in folder: OpenFolder) throws(WatchError) {
        let reason = folder.remove(name)
        guard reason == 0 else { throw .failed(path: folder.shown(name), errno: reason) }
    }

    private func remove(_ source: SourceFile, _ action: SourceAction) throws(WatchError) -> Bool {
        let held = SourceFile.heldName(job: action.job)
        _ = try clearHeld(action, in: source.folder)
        switch source.rename(to: held, in: source.folder) {
        case 0: break
        case ESTALE, ENOENT: return false
        case let reason: throw .failed(path: source.path, errno: reason)
        }
        try removeName(held, in: source.folder)
        try attempt { () throws(FileError) in try source.folder.synchronize() }
        return true
    }

    private func move(
        _ source: SourceFile, to place: SourcePlace, _ action: SourceAction
    ) throws(WatchError) -> SourceOutcome {
        for number in 0...SourcePlace.mostNames {
            let name = place.name(number)
            if let outcome = try move(source, to: place.folder, name, action) { return outcome }
        }
        throw .failed(path: place.folder.shown(place.name), errno: EEXIST)
    }

    /// - Returns: nil when the name is taken.
    func move(
        _ source: SourceFile, to folder: OpenFolder, _ name: String, _ action: SourceAction
    ) throws(WatchError) -> SourceOutcome? {
        switch source.rename(to: name, in: folder) {
        case 0:
            try attempt { () throws(FileError) in
                try folder.synchronize()
                try source.folder.synchronize()
            }
            return .done(at: folder.shown(name))
        case EEXIST: return nil
        case ESTALE, ENOENT: return .changed
        case EXDEV:
            // Seen before the name is: a copy for nothing may be a large one.
            return try isTaken(name, in: folder) ? nil : copyAway(source, to: folder, name, action)
        case let reason: throw .failed(path: source.path, errno: reason)
        }
    }

    /// Moves to another file system.
    private func copyAway(
        _ source: SourceFile, to folder: OpenFolder, _ name: String, _ action: SourceAction
    ) throws(WatchError) -> SourceOutcome? {
        let copy = try filled(folder, name, from: source.descriptor, like: source)
        do throws(FileError) {
            _ = try copy.publish(.fail)
        } catch {
            if case .exists = error { return nil }
            throw .file(error)
        }
        guard try isSame(source, action), try remove(source, action) else {
            _ = folder.remove(name)
            return .changed
        }
        return .done(at: folder.shown(name))
    }

    /// Puts the output in the source's place: other links to the source keep its content.
    private func replace(
        _ source: SourceFile, by output: FinishedOutput, _ action: SourceAction
    ) throws(WatchError) -> SourceOutcome {
        guard let finished = try SourceFile(output.path) else {
            throw .failed(path: output.path, errno: ENOENT)
        }
        let folder = source.folder
        let target = Self.target(of: source.name, replacedBy: output.path)
        let copy = try filled(folder, target, from: finished.descriptor, like: source)
        // What was looked at may have been written over since.
        try output.require(copy.descriptor)
        guard try isSame(source, action) else { return .changed }
        if target.utf8.elementsEqual(source.name.utf8) {
            return try exchange(source, copy, action)
        }
        let placed = try attempt { () throws(FileError) in try copy.publish(.unique) }
        let name = Folder.lastName(of: placed.path)
        guard try remove(source, action) else {
            _ = folder.remove(name)
            return .changed
        }
        return .done(at: folder.shown(name))
    }

    private func exchange(
        _ source: SourceFile, _ copy: PartialFile, _ action: SourceAction
    ) throws(WatchError) -> SourceOutcome {
        let (folder, held) = (source.folder, SourceFile.heldName(job: action.job))
        // Of an earlier try that was killed before the two changed places.
        _ = folder.remove(held)
        _ = try attempt { () throws(FileError) in
            try copy.publish(.fail, at: folder.anchoredPath(held))
        }
        let reason = folder.exchange(source.name, held)
        guard reason == 0 else {
            _ = folder.remove(held)
            guard reason != ENOENT else { return .changed }
            throw .failed(path: source.path, errno: reason)
        }
        guard source.isAt(held, in: folder) else {
            // Somebody else's file was there: it gets its name back, or one beside it.
            if folder.exchange(source.name, held) == 0 {
                _ = folder.remove(held)
            } else {
                _ = folder.move(held, to: folder, source.name)
            }
            return .changed
        }
        try attempt { () throws(FileError) in try folder.synchronize() }
        try removeName(held, in: folder)
        return .done(at: source.path)
    }

    private func filled(
        _ folder: OpenFolder, _ name: String, from descriptor: Int32, like source: SourceFile
    ) throws(WatchError) -> PartialFile {
        try attempt { () throws(FileError) in
            let file = try PartialFile(for: folder.anchoredPath(name))
            _ = try file.fill(from: descriptor)
            source.giveTraits(to: file.descriptor)
            try file.synchronize()
            return file
        }
    }

    /// The name that an output gets in its source's place.
    ///
    /// - Parameters:
    ///   - path: The source's.
    ///   - output: The output's, whose suffix counts.
    /// - Returns: The source's with that suffix.
    public static func target(of path: String, replacedBy output: String) -> String {
        let suffix = Folder.lastName(of: output).split(separator: ".").last ?? "mp4"
        let name = Folder.lastName(of: path)
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else {
            return "\(path).\(suffix)"
        }
        let own = name[name.utf8.index(after: dot)...]
        guard own.lowercased() != suffix.lowercased() else { return path }
        return "\(Substring(path.utf8.dropLast(own.utf8.count)))\(suffix)"
    }

    func isTaken(_ name: String, in folder: OpenFolder) throws(WatchError) -> Bool {
        try attempt { () throws(FileError) in try folder.holds(name) }
    }

    func attempt<Value>(
        _ body: () throws(FileError) -> Value
    ) throws(WatchError) -> Value {
        do throws(FileError) { return try body() } catch { throw WatchError(error) }
    }
}
