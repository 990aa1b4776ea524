internal import CTakeupLinux

/// Writes bytes back to disk early, before anybody waits for them.
public enum WriteBack {
    /// Asks the system to start writing a part of an open file to disk.
    ///
    /// The request guarantees nothing: only a sync confirms that bytes are on disk. A later sync is
    /// then shorter.
    public static func begin(_ descriptor: Int32, _ range: Range<Int64>) {
        takeup_begin_write_back(descriptor, range.lowerBound, range.upperBound - range.lowerBound)
    }
}
