/// Why a folder is not taken for the one that a database's results are in.
public enum FolderDoubt: String, Sendable, Equatable {
    /// There is no such folder, and the results are in another one.
    case absent
    /// It holds nothing, and the results are in another one.
    case empty
    /// It says that it belongs to the database, but is another one of its folders.
    case another
    /// It holds results and does not say whose.
    case ownerless
    /// It says that it is the one, but none of the results, or few of them, are in it.
    case emptied
}
