/// Collects the small chunks in which libcurl delivers a body into large chunks.
///
/// Each chunk costs its receiver a system call and several locks, whatever its size.
final class BodyBuffer {
    private static let capacity = 256 << 10

    private let room: UnsafeMutableRawBufferPointer
    private var count = 0

    /// - Parameter gathers: `false` for a buffer that accepts nothing.
    init(gathers: Bool) {
        room = .allocate(byteCount: gathers ? Self.capacity : 0, alignment: 64)
    }

    deinit { room.deallocate() }

    /// Copies bytes into the buffer.
    ///
    /// - Returns: `false` if there is not enough room; nothing is copied then.
    func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count <= room.count - count else { return false }
        UnsafeMutableRawBufferPointer(rebasing: room[count...]).copyMemory(from: bytes)
        count += bytes.count
        return true
    }

    /// Passes all bytes to a closure and empties the buffer.
    ///
    /// - Returns: The result of `body`; nil if the buffer is empty, without a call of `body`.
    func take(_ body: (UnsafeRawBufferPointer) -> Bool) -> Bool? {
        guard count > 0 else { return nil }
        defer { count = 0 }
        return body(UnsafeRawBufferPointer(rebasing: room[..<count]))
    }
}
