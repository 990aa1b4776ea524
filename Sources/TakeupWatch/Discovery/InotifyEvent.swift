internal import Foundation

/// One event as the kernel tells it.
struct InotifyEvent: Equatable {
    enum Name: Equatable {
        /// The event is about the watched folder itself.
        case none
        case text(String)
        case notUTF8
    }

    /// What has happened.
    struct Kinds: OptionSet, Hashable {
        let rawValue: UInt32

        init(rawValue: UInt32) { self.rawValue = rawValue }

        private init(_ kind: Int32) { rawValue = UInt32(bitPattern: kind) }

        static let attributes = Kinds(IN_ATTRIB)
        static let closedAfterWriting = Kinds(IN_CLOSE_WRITE)
        static let movedFrom = Kinds(IN_MOVED_FROM)
        static let movedTo = Kinds(IN_MOVED_TO)
        static let created = Kinds(IN_CREATE)
        static let deleted = Kinds(IN_DELETE)
        static let deletedItself = Kinds(IN_DELETE_SELF)
        static let movedItself = Kinds(IN_MOVE_SELF)
        static let unmounted = Kinds(IN_UNMOUNT)
        static let overflow = Kinds(IN_Q_OVERFLOW)
        /// The watch has ended.
        static let ignored = Kinds(IN_IGNORED)
        static let ofFolder = Kinds(IN_ISDIR)
        // How to watch, rather than what for.
        static let onlyFolders = Kinds(IN_ONLYDIR)
        static let notUnlinked = Kinds(IN_EXCL_UNLINK)
    }

    /// The watched folder's number; -1 for none.
    let watch: Int32
    let kinds: Kinds
    let name: Name
}
