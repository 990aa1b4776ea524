internal import Foundation
internal import TakeupFiles

/// What goes with a source into another folder.
extension SourceActions {
    /// Moves a source to what failed, with a note beside it.
    ///
    /// The note comes first: a kill between the two leaves one that the next try writes again.
    func setAside(
        _ source: SourceFile, _ action: SourceAction
    ) throws(WatchError) -> SourceOutcome {
        let wanted = "\(failedFolder)/\(action.path)"
        try makeFolders(above: wanted)
        let target = try freeName(wanted)
        let text = try note(action)
        try write(text, beside: target)
        let outcome = try move(source, to: target, action)
        guard outcome != .done(at: target) else { return outcome }
        // The source has gone, or another file was quicker and this one has the next name.
        unlink(Self.notePath(of: target))
        if case .done(let place?) = outcome { try write(text, beside: place) }
        return outcome
    }

    private static func notePath(of path: String) -> String { "\(path).json" }

    private func write(_ text: [UInt8], beside path: String) throws(WatchError) {
        try attempt { () throws(FileError) in
            let file = try PartialFile(for: Self.notePath(of: path))
            try file.write(text)
            try file.synchronize()
            _ = try file.publish(.replace)
        }
    }

    /// A name that neither a file nor another one's note has.
    private func freeName(_ path: String) throws(WatchError) -> String {
        for number in 0...Self.mostNames {
            let name = number == 0 ? path : PartialFile.numbered(path, number)
            if access(name, F_OK) != 0 { return name }
        }
        throw .failed(path: path, errno: EEXIST)
    }

    /// Moves a film's subtitles to where it goes; what cannot be moved stays.
    ///
    /// A sound beside it is media itself, with an output and an end of its own.
    func takeAlong(_ action: SourceAction, to folder: String) throws(WatchError) {
        let path = "\(action.folder)/\(action.path)"
        let own = Folder.containing(path)
        let name = String(path.dropFirst(own.count + 1))
        let names = SideCars(Folder.names(in: own, of: AT_FDCWD)).subtitles(of: name)
        guard !names.isEmpty else { return }
        let target = Folder.containing("\(folder)/\(action.path)")
        try makeFolders(above: "\(target)/\(name)")
        for name in names { _ = ExclusiveRename.move("\(own)/\(name)", to: "\(target)/\(name)") }
    }
}
