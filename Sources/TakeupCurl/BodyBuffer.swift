/// Makes large pieces of the small ones in which libcurl hands a body on.
///
/// A piece costs its receiver a call of the system and several locks, whatever its size.
final class BodyBuffer {
    private static let capacity = 256 << 10

    private let room: UnsafeMutableRawBufferPointer
    private var count = 0

    /// - Parameter gathers: `false` for a buffer that takes nothing.
    init(gathers: Bool) {
        room = .allocate(byteCount: gathers ? Self.capacity : 0, alignment: 64)
    }

    deinit { room.deallocate() }

    /// Copies bytes.
    ///
    /// - Returns: `false` when there is no room for all of them; nothing is copied then.
    func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count <= room.count - count else { return false }
        UnsafeMutableRawBufferPointer(rebasing: room[count...]).copyMemory(from: bytes)
        count += bytes.count
        return true
    }

    /// Gives everything away.
    ///
    /// - Returns: What `body` returns; nil when there is nothing, and `body` is not called.
    func take(_ body: (UnsafeRawBufferPointer) -> Bool) -> Bool? {
        guard count > 0 else { return nil }
        defer { count = 0 }
        return body(UnsafeRawBufferPointer(rebasing: room[..<count]))
    }
}
