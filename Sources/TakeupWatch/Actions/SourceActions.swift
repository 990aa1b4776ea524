internal import Foundation
internal import TakeupFiles

/// Moves, removes and replaces sources whose outputs stand, and sets those aside of which nothing came.
///
/// Each can be killed at any point and be performed again: nothing is lost, and nothing else than what was encoded goes.
/// Calls block.
public struct SourceActions: Sendable {
    static let mostNames = 9999

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
        let path = "\(action.folder)/\(action.path)"
        guard let source = try SourceFile(path) else {
            return try clearHeld(action, path) ? .done(at: nil) : .gone
        }
        guard try isSame(source, action) else {
            // After a kill the output, or another file, may have the source's name already.
            guard try clearHeld(action, path) else { return .changed }
            return .done(at: action.kind == .replace ? path : nil)
        }
        switch action.kind {
        case .move:
            try takeAlong(action, to: doneFolder)
            return try move(source, to: "\(doneFolder)/\(action.path)", action)
        case .setAside:
            try takeAlong(action, to: failedFolder)
            return try setAside(source, action)
        case .trash:
            let place = try trash.place(for: path)
            let outcome = try move(source, to: place.file, action)
            if case .done(let target?) = outcome { try place.note(target, of: path) }
            return outcome
        case .delete: return try remove(source, action) ? .done(at: nil) : .changed
        case .replace:
            guard let output else { throw .failed(path: path, errno: EINVAL) }
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
    private func clearHeld(_ action: SourceAction, _ path: String) throws(WatchError) -> Bool {
        let held = SourceFile.heldPath(of: path, job: action.job)
        guard let source = try SourceFile(held), try isSame(source, action) else { return false }
        guard unlink(held) == 0 else { throw .failed(path: held, errno: errno) }
        return true
    }

    private func remove(_ source: SourceFile, _ action: SourceAction) throws(WatchError) -> Bool {
        let held = SourceFile.heldPath(of: source.path, job: action.job)
        _ = try clearHeld(action, source.path)
        switch source.rename(to: held) {
        case 0: break
        case ESTALE, ENOENT: return false
        case let reason: throw .failed(path: source.path, errno: reason)
        }
        guard unlink(held) == 0 else { throw .failed(path: held, errno: errno) }
        try synchronizeFolder(of: source.path)
        return true
    }

    func move(
        _ source: SourceFile, to target: String, _ action: SourceAction
    ) throws(WatchError) -> SourceOutcome {
        try makeFolders(above: target)
        for number in 0...Self.mostNames {
            let name = number == 0 ? target : PartialFile.numbered(target, number)
            switch source.rename(to: name) {
            case 0:
                try synchronizeFolder(of: name)
                try synchronizeFolder(of: source.path)
                return .done(at: name)
            case EEXIST: continue
            case ESTALE, ENOENT: return .changed
            case EXDEV: return try copyAway(source, to: name, action)
            case let reason: throw .failed(path: source.path, errno: reason)
            }
        }
        throw .failed(path: target, errno: EEXIST)
    }

    /// Moves to another file system.
    private func copyAway(
        _ source: SourceFile, to target: String, _ action: SourceAction
    ) throws(WatchError) -> SourceOutcome {
        let copy = try filled(for: target, from: source.descriptor, like: source)
        let placed = try attempt { () throws(FileError) in try copy.publish(.unique) }
        guard try isSame(source, action), try remove(source, action) else {
            unlink(placed.path)
            return .changed
        }
        return .done(at: placed.path)
    }

    /// Puts the output in the source's place: other links to the source keep its content.
    private func replace(
        _ source: SourceFile, by output: FinishedOutput, _ action: SourceAction
    ) throws(WatchError) -> SourceOutcome {
        guard let finished = try SourceFile(output.path) else {
            throw .failed(path: output.path, errno: ENOENT)
        }
        let target = Self.target(of: source.path, replacedBy: output.path)
        let copy = try filled(for: target, from: finished.descriptor, like: source)
        // What was looked at may have been written over since.
        try output.require(copy.descriptor)
        guard try isSame(source, action) else { return .changed }
        if target == source.path { return try exchange(source, copy, action) }
        let placed = try attempt { () throws(FileError) in try copy.publish(.unique) }
        guard try remove(source, action) else {
            unlink(placed.path)
            return .changed
        }
        return .done(at: placed.path)
    }

    private func exchange(
        _ source: SourceFile, _ copy: PartialFile, _ action: SourceAction
    ) throws(WatchError) -> SourceOutcome {
        let held = SourceFile.heldPath(of: source.path, job: action.job)
        // Of an earlier try that was killed before the two changed places.
        unlink(held)
        _ = try attempt { () throws(FileError) in try copy.publish(.fail, at: held) }
        let reason = ExclusiveRename.exchange(source.path, held)
        guard reason == 0 else {
            unlink(held)
            guard reason != ENOENT else { return .changed }
            throw .failed(path: source.path, errno: reason)
        }
        guard source.isAt(held) else {
            // Somebody else's file was there: it gets its name back, or one beside it.
            if ExclusiveRename.exchange(source.path, held) == 0 {
                unlink(held)
            } else {
                _ = ExclusiveRename.move(held, to: source.path)
            }
            return .changed
        }
        try synchronizeFolder(of: source.path)
        guard unlink(held) == 0 else { throw .failed(path: held, errno: errno) }
        return .done(at: source.path)
    }

    private func filled(
        for target: String, from descriptor: Int32, like source: SourceFile
    ) throws(WatchError) -> PartialFile {
        try attempt { () throws(FileError) in
            let file = try PartialFile(for: target)
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
        let suffix = output.split(separator: "/").last?.split(separator: ".").last ?? "mp4"
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else {
            return "\(path).\(suffix)"
        }
        let own = name[name.index(after: dot)...]
        guard own.lowercased() != suffix.lowercased() else { return path }
        return "\(path.dropLast(own.count))\(suffix)"
    }

    func makeFolders(above path: String) throws(WatchError) {
        do {
            try FileManager.default.createDirectory(
                atPath: Folder.containing(path), withIntermediateDirectories: true)
        } catch {
            throw .failed(path: Folder.containing(path), errno: errno == 0 ? EIO : errno)
        }
    }

    private func synchronizeFolder(of path: String) throws(WatchError) {
        try attempt { () throws(FileError) in
            try Folder.synchronize(Folder.containing(path))
        }
    }

    func attempt<Value>(
        _ body: () throws(FileError) -> Value
    ) throws(WatchError) -> Value {
        do throws(FileError) { return try body() } catch { throw .file(error) }
    }
}
