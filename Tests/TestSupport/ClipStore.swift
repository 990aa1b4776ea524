import Foundation

/// The directory in which made clips are kept, each under a hash of its recipe.
struct ClipStore {
    let directory: String

    /// The one of this user, under the system's directory for temporary files.
    static func standard() throws(ToolFailure) -> ClipStore {
        let parent = FileManager.default.temporaryDirectory.path
        let directory = URL(fileURLWithPath: parent)
            .appendingPathComponent("takeup-clips-\(getuid())").path
        var facts = stat()
        guard mkdir(directory, 0o700) == 0 || errno == EEXIST, lstat(directory, &facts) == 0,
            facts.st_uid == getuid(), facts.st_mode & S_IFMT == S_IFDIR
        else { throw ToolFailure("\(directory) is not a directory of this user") }
        return ClipStore(directory: directory)
    }

    /// The clip of a recipe, made now when it is not there.
    ///
    /// - Parameters:
    ///   - name: The clip's file name.
    ///   - recipe: Everything that decides the clip's bytes.
    ///   - make: Writes the clip to the path that it is given.
    /// - Returns: The kept clip.
    /// - Throws: `ToolFailure` when `make` does, or the clip cannot be kept.
    func clip(
        _ name: String, recipe: [String], make: (String) throws(ToolFailure) -> Void
    ) throws(ToolFailure) -> Clip {
        let key = Self.hash(of: recipe)
        let kept = "\(directory)/\(key)"
        let clip = Clip(path: "\(kept)/\(name)")
        if FileManager.default.fileExists(atPath: clip.path) { return clip }

        // Tests run in parallel, in several processes too: one makes a clip, the others wait.
        let lock = open("\(directory)/\(key).lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0, flock(lock, LOCK_EX) == 0 else {
            throw ToolFailure("cannot lock \(kept): \(String(cString: strerror(errno)))")
        }
        defer { close(lock) }
        if FileManager.default.fileExists(atPath: clip.path) { return clip }

        let partial = "\(kept).\(getpid())"
        defer { try? FileManager.default.removeItem(atPath: partial) }
        guard mkdir(partial, 0o700) == 0 else {
            throw ToolFailure("cannot make \(partial): \(String(cString: strerror(errno)))")
        }
        try make("\(partial)/\(name)")
        let text = Data((recipe.joined(separator: "\n") + "\n").utf8)
        guard FileManager.default.createFile(atPath: "\(partial)/recipe", contents: text),
            rename(partial, kept) == 0
        else { throw ToolFailure("cannot keep \(kept): \(String(cString: strerror(errno)))") }
        return clip
    }

    /// FNV-1a over the recipe's parts, each with its end marked.
    private static func hash(of recipe: [String]) -> String {
        var value: UInt64 = 0xcbf2_9ce4_8422_2325
        for part in recipe {
            for byte in Array(part.utf8) + [0] {
                value = (value ^ UInt64(byte)) &* 0x100_0000_01b3
            }
        }
        return String(value, radix: 16)
    }
}
