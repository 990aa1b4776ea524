internal import Foundation
internal import TakeupFiles

/// What goes with a source into another folder.
extension SourceActions {
    /// The largest note that is looked into, in bytes.
    private static let mostNoteBytes = 4 << 20

    /// A source's place in the tree of those that are moved, its folders made where they are missing.
    ///
    /// Below the watched folder no link is followed: whoever may write there could have made it.
    func place(in folder: String, for action: SourceAction) throws(WatchError) -> SourcePlace {
        try attempt { () throws(FileError) in
            let top: OpenFolder
            if let path = Folder.path(from: action.folder, to: folder) {
                top = try OpenFolder(action.folder).makeFolder(path)
            } else {
                top = try OpenFolder(makingAll: folder)
            }
            let above = Folder.containing(action.path)
            return SourcePlace(
                folder: try top.makeFolder(above == "." ? "" : above),
                name: Folder.lastName(of: action.path))
        }
    }

    /// Moves a source to what failed, with a note beside it.
    ///
    /// The note comes first: a kill between the two leaves one that the next try writes again.
    func setAside(
        _ source: SourceFile, to place: SourcePlace, _ action: SourceAction
    ) throws(WatchError) -> SourceOutcome {
        let text = try note(action)
        for number in 0...SourcePlace.mostNames {
            let name = place.name(number)
            guard try !isTaken(name, in: place.folder),
                try write(text, beside: name, in: place.folder, of: action)
            else { continue }
            let outcome = try move(source, to: place.folder, name, action)
            if case .done = outcome { return .done(at: place.folder.shown(name)) }
            // The source has gone, or another file was quicker and this one has the next name.
            _ = place.folder.remove(Self.noteName(of: name))
            if let outcome { return outcome }
        }
        throw .failed(path: place.folder.shown(place.name), errno: EEXIST)
    }

    /// Where an earlier try that was killed behind its move has put a source; nil when none has.
    ///
    /// - Throws: `WatchError` when it cannot be looked for.
    public func pathMoved(by action: SourceAction) throws(WatchError) -> String? {
        switch action.kind {
        case .move:
            try path(in: doneFolder, of: action) { (folder, name) throws(WatchError) in
                guard let file = try SourceFile(name, in: folder),
                    file.identity?.bytes == action.identity.bytes
                else { return false }
                return try holdsSame(file.descriptor, action)
            }
        case .setAside:
            try path(in: failedFolder, of: action) { (folder, name) throws(WatchError) in
                try isOwnNote(Self.noteName(of: name), in: folder, of: action)
            }
        case .trash, .delete, .replace: nil
        }
    }

    /// The first of a source's places in the tree of those that are moved that is meant; nil where there is none.
    private func path(
        in folder: String, of action: SourceAction,
        isMeant: (OpenFolder, String) throws(WatchError) -> Bool
    ) throws(WatchError) -> String? {
        let above = Folder.containing(action.path)
        let found: OpenFolder
        do throws(FileError) {
            let path = Folder.path(from: action.folder, to: folder)
            let top = try OpenFolder(path == nil ? folder : action.folder).folder(path ?? "")
            found = try top.folder(above == "." ? "" : above)
        } catch {
            guard case .failed(_, ENOENT) = error else { throw WatchError(error) }
            return nil
        }
        let place = SourcePlace(folder: found, name: Folder.lastName(of: action.path))
        for number in 0...SourcePlace.mostNames {
            let name = place.name(number)
            guard try isTaken(name, in: found) else { return nil }
            if try isMeant(found, name) { return found.shown(name) }
        }
        return nil
    }

    private static func noteName(of name: String) -> String { "\(name).json" }

    /// - Returns: `false` when somebody else's file has the note's name.
    private func write(
        _ text: [UInt8], beside name: String, in folder: OpenFolder, of action: SourceAction
    ) throws(WatchError) -> Bool {
        let note = Self.noteName(of: name)
        let isOurs = try isOwnNote(note, in: folder, of: action)
        if !isOurs, try isTaken(note, in: folder) { return false }
        do throws(FileError) {
            let file = try PartialFile(for: folder.anchoredPath(note))
            try file.write(text)
            try file.synchronize()
            _ = try file.publish(isOurs ? .replace : .fail)
            return true
        } catch {
            if case .exists = error { return false }
            throw WatchError(error)
        }
    }

    /// Whether a note is of an earlier try that was killed: it names the job.
    private func isOwnNote(
        _ name: String, in folder: OpenFolder, of action: SourceAction
    ) throws(WatchError) -> Bool {
        let file = folder.openFile(name)
        guard file >= 0 else {
            guard [ENOENT, ELOOP, EACCES, ENXIO].contains(errno) else {
                throw .failed(path: folder.shown(name), errno: errno)
            }
            return false
        }
        defer { close(file) }
        guard let bytes = FileIdentity(descriptor: file)?.bytes, bytes <= Self.mostNoteBytes else {
            return false
        }
        var text = [UInt8](repeating: 0, count: Int(bytes))
        return pread(file, &text, text.count, 0) == text.count
            && Data(text).range(of: Data(action.job.utf8)) != nil
    }

    /// Moves a film's subtitles to where it goes; what cannot be moved stays.
    ///
    /// A sound beside it is media itself, with an output and an end of its own.
    func takeAlong(_ source: SourceFile, to folder: OpenFolder) throws(WatchError) {
        let names = try attempt { () throws(FileError) in
            try SideCars(Folder.names(in: ".", of: source.folder.descriptor))
                .subtitles(of: source.name)
        }
        for name in names { _ = source.folder.move(name, to: folder, name) }
    }
}
