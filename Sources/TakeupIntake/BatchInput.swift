/// One thing that a command line names for a batch.
public enum BatchInput: Sendable, Equatable {
    /// A media file, an address, a folder, a `.json`, `.jsonl`, `.csv` or `.txt` list, or a pattern such as `clips/*.mov`.
    case place(String)
    /// The bytes of a list without a name: JSON, JSON Lines, or a path or an address a line.
    ///
    /// With `endsWithNull` a zero byte ends each path, as `find -print0` writes them.
    case text([UInt8], endsWithNull: Bool)
}
