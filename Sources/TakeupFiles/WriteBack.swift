internal import CTakeupLinux

/// Bytes on their way to the disk before anybody waits for them there.
public enum WriteBack {
    /// Asks the system to begin with a part of an open file.
    ///
    /// Promises nothing: only a sync says that bytes are on the disk. It is a shorter one then.
    public static func begin(_ descriptor: Int32, _ range: Range<Int64>) {
        takeup_begin_write_back(descriptor, range.lowerBound, range.upperBound - range.lowerBound)
    }
}
