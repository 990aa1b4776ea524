internal import CTakeupLinux

/// Controls the memory that exports have freed.
///
/// By default, the C library keeps freed memory, in as many heaps as threads have used.
public enum FreedMemory {
    /// Number of heaps per process.
    private static let mostHeaps: Int32 = 2

    /// Makes all threads share a few heaps from now on; call it at the start of a program.
    ///
    /// A library must leave this call to its program.
    public static func shareHeaps() {
        #if canImport(Glibc)
            mallopt(M_ARENA_MAX, mostHeaps)
        #endif
    }

    /// Returns free memory to the system; takes about a millisecond.
    public static func giveBack() {
        #if canImport(Glibc)
            malloc_trim(0)
        #endif
    }
}
