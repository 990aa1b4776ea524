internal import Foundation

/// What a watched folder was when it was last seen, to tell it from the bare place of a disk that is not mounted.
public struct RootMemory: Sendable, Hashable, Codable {
    public let device: Int64
    public let inode: Int64
    /// Folders from the file system's topmost one down to this: 0 for a mount point, nil when it cannot be told.
    public let levelsBelowMount: Int?

    /// What a folder is in comparison with what is remembered.
    enum Verdict {
        case same
        case another
        /// Its file system begins higher up than it did: one that was mounted between is not there.
        case notMounted
    }

    public init(device: Int64, inode: Int64, levelsBelowMount: Int?) {
        (self.device, self.inode) = (device, inode)
        self.levelsBelowMount = levelsBelowMount
    }

    /// What an open folder is; nil for what cannot be looked at, and `errno` says why.
    init?(descriptor: Int32) {
        guard let place = FilePlace(descriptor: descriptor) else { return nil }
        self.init(
            device: place.device, inode: place.inode,
            levelsBelowMount: Self.levels(above: descriptor, place))
    }

    func verdict(on now: RootMemory) -> Verdict {
        if now.device == device, now.inode == inode { return .same }
        if let before = levelsBelowMount, let levels = now.levelsBelowMount, levels > before {
            return .notMounted
        }
        return .another
    }

    private static func levels(above folder: Int32, _ place: FilePlace) -> Int? {
        var (place, path) = (place, "..")
        for level in 0..<1000 {
            var facts = stat()
            guard fstatat(folder, path, &facts, 0) == 0 else { return nil }
            let outer = FilePlace(facts)
            // The folder above the topmost one is itself.
            if outer.device != place.device || outer == place { return level }
            (place, path) = (outer, path + "/..")
        }
        return nil
    }
}
