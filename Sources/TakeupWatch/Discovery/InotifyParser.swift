/// Takes events out of the bytes that inotify gives.
///
/// - Note: Source: `inotify(7)`, `struct inotify_event`.
enum InotifyParser {
    /// Watch, mask, cookie and length of the name, of four bytes each.
    static let headBytes = 16

    /// - Returns: `false` when the bytes end within an event; `each` was called for those before it.
    static func parse(_ bytes: UnsafeRawBufferPointer, each: (InotifyEvent) -> Void) -> Bool {
        var place = 0
        while place < bytes.count {
            guard bytes.count - place >= headBytes else { return false }
            let length = Int(bytes.loadUnaligned(fromByteOffset: place + 12, as: UInt32.self))
            guard bytes.count - place - headBytes >= length else { return false }
            let name = bytes[place + headBytes..<place + headBytes + length].prefix { $0 != 0 }
            each(
                InotifyEvent(
                    watch: bytes.loadUnaligned(fromByteOffset: place, as: Int32.self),
                    kinds: InotifyEvent.Kinds(
                        rawValue: bytes.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self)),
                    name: Self.name(name)))
            place += headBytes + length
        }
        return true
    }

    private static func name(_ bytes: some Collection<UInt8>) -> InotifyEvent.Name {
        if bytes.isEmpty { return .none }
        return String(validating: bytes, as: UTF8.self).map { .text($0) } ?? .notUTF8
    }
}
