/// Decides whether a folder is the one that a database's results are in; looks at nothing but what it is given.
///
/// Each names the other by an identity of its own, so that a path says nothing: a disk that is not mounted, a wrong
/// path and the folder of another database are told from the one in which a file is really missing.
package struct FolderClaim {
    /// What a path leads to.
    package enum Found: Equatable {
        /// `isThere`: an empty folder.
        case nothing(isThere: Bool)
        /// Results that nobody says are his.
        case ownerless
        /// `folder` is nil for one that an older version made.
        case owned(database: String, folder: String?)
    }

    /// What becomes of the folder.
    package enum Verdict: Equatable {
        /// Both name each other.
        case open
        /// The folder names the database, which is to name the folder.
        case note(String)
        /// Both are to name each other from now on.
        case mark
        case refuse(FolderDoubt)
        case foreign(owner: String)
    }

    private let database: String
    /// The folder that the database knows.
    private let known: String?
    /// Whether there is something that a wrong folder would lose.
    private let hasEntries: Bool
    /// Whether the folder is taken as it is, whatever speaks against it.
    private let isAdopting: Bool

    /// Names the two sides.
    package init(database: String, known: String?, hasEntries: Bool, isAdopting: Bool) {
        (self.database, self.known) = (database, known)
        (self.hasEntries, self.isAdopting) = (hasEntries, isAdopting)
    }

    /// A claim on a second place for a database's results, about which it knows nothing yet.
    package static func ofCopy(of manifest: Manifest) -> FolderClaim {
        FolderClaim(
            database: manifest.databaseID, known: nil, hasEntries: false, isAdopting: false)
    }

    /// - Parameters:
    ///   - found: What is there.
    ///   - holdsEntries: Whether the files of the database's entries are in the folder; asked only where that decides.
    /// - Returns: Whether the folder is used, marked or refused.
    /// - Throws: What `holdsEntries` throws.
    package func verdict(
        on found: Found, holdsEntries: () throws(CacheError) -> Bool
    ) throws(CacheError) -> Verdict {
        switch found {
        case .nothing(let isThere):
            let isFirst = known == nil && !hasEntries
            return isFirst || isAdopting ? .mark : .refuse(isThere ? .empty : .absent)
        case .ownerless: return isAdopting ? .mark : .refuse(.ownerless)
        case .owned(let owner, _) where owner != database:
            return isAdopting ? .mark : .foreign(owner: owner)
        case .owned(_, let folder?) where folder == known:
            if isAdopting || !hasEntries { return .open }
            return try holdsEntries() ? .open : .refuse(.emptied)
        case .owned(_, let folder?) where known != nil:
            return isAdopting ? .note(folder) : .refuse(.another)
        case .owned(_, let folder):
            // Of an older version, or from before a kill between the two writes.
            if !isAdopting, hasEntries, try !holdsEntries() { return .refuse(.emptied) }
            return folder.map { .note($0) } ?? .mark
        }
    }
}
