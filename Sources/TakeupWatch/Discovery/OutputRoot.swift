internal import Foundation
public import TakeupFiles

/// The folder of outputs, and whether its disk is there: without it outputs would land beneath the place of the disk.
public struct OutputRoot: Sendable {
    /// Absolute, without a slash at the end.
    public let path: String
    private var root: WatchRoot
    /// Whether the last try to make a file in the folder succeeded.
    private var isWritable = false

    /// What was seen last; to be stored, so that a restart knows it.
    public var memory: RootMemory? { root.memory }

    /// - Parameters:
    ///   - path: Absolute; a symbolic link is followed.
    ///   - memory: What was stored; nil takes the folder as it is, or makes it.
    /// - Throws: `WatchError.unreadable` for a path that is none.
    public init(_ path: String, memory: RootMemory?) throws(WatchError) {
        root = try WatchRoot(path, memory: memory)
        self.path = root.path
    }

    /// Looks whether the folder is there; one that was removed from its disk, or was never there, is made.
    ///
    /// - Returns: Why it is not there now; nil when it is.
    public mutating func look() -> String? {
        do throws(WatchError) {
            if isToBeMade { try make() }
            _ = try root.open()
            return nil
        } catch {
            return error.reason
        }
    }

    /// Why the folder is not there now; nil when it is, or would be made.
    ///
    /// A look that changes nothing.
    public var absence: String? {
        if isToBeMade { return nil }
        var root = root
        do throws(WatchError) {
            _ = try root.open()
            return nil
        } catch {
            return error.reason
        }
    }

    /// Looks whether files can be made in a folder that is there.
    ///
    /// Tries it at first, and as long as it could not be done; else rights and room are asked for.
    ///
    /// - Returns: Why not; nil when they can.
    public mutating func refusal() -> FileError? {
        if isWritable, Self.seemsWritable(path) { return nil }
        isWritable = false
        do throws(FileError) {
            try WritableFolder.require(path)
            isWritable = true
            return nil
        } catch {
            return error
        }
    }

    private static func seemsWritable(_ path: String) -> Bool {
        guard access(path, W_OK | X_OK) == 0 else { return false }
        return (try? FreeSpace.bytes(at: path)) != 0
    }

    /// Whether nothing has the name, and the disk that it was on, if any, is there.
    private var isToBeMade: Bool {
        guard access(path, F_OK) != 0, errno == ENOENT else { return false }
        guard let before = memory?.levelsBelowMount else { return true }
        var (outer, missing) = (path, 0)
        repeat {
            outer = Folder.names(of: outer).dropLast().reduce("") { "\($0)/\($1)" }
            if outer.isEmpty { outer = "/" }
            missing += 1
        } while access(outer, F_OK) != 0 && outer != "/"
        let folder = open(outer, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return false }
        defer { close(folder) }
        // One that was a disk's topmost folder goes with its disk alone.
        return RootMemory(descriptor: folder)?.levelsBelowMount.map { $0 + missing } == before
    }

    private func make() throws(WatchError) {
        do throws(FileError) {
            _ = try OpenFolder(makingAll: path)
        } catch {
            throw .unavailable(path: path, reason: "it cannot be made: \(error.reason)")
        }
    }
}
