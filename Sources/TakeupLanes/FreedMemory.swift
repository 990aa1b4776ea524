internal import CTakeupLinux

/// What becomes of the memory that exports have freed: the C library keeps it, in as many heaps as threads have used,
/// unless it is told otherwise.
public enum FreedMemory {
    /// Heaps of one process.
    private static let mostHeaps: Int32 = 2

    /// Has all threads share few heaps from now on; for a program's very start.
    ///
    /// A library leaves this to the program that it is in.
    public static func shareHeaps() {
        #if canImport(Glibc)
            mallopt(M_ARENA_MAX, mostHeaps)
        #endif
    }

    /// Gives what is free back to the system; takes about a millisecond.
    public static func giveBack() {
        #if canImport(Glibc)
            malloc_trim(0)
        #endif
    }
}
