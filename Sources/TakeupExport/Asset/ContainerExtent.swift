/// How many bytes a container says that it has, read from its first bytes.
enum ContainerExtent {
    /// Bytes of a file's head that suffice.
    static let headBytes = 4096

    /// - Returns: The declared end, in bytes from the start; nil when the container does not say.
    static func declaredEnd(head: [UInt8]) -> Int64? {
        if head.starts(with: Array("RIFF".utf8)) { return riff(head) }
        if head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return matroska(head) }
        if head.starts(with: ASFObjects.header) { return asf(head) }
        return nil
    }

    /// - Note: Source: Advanced Systems Format 01.20.03 §3.2: the file properties object; a broadcast does not
    ///   know its size.
    private static func asf(_ head: [UInt8]) -> Int64? {
        let properties = ASFObjects.fileProperties
        for place in 30..<max(30, head.count - 100) where head[place] == properties[0] {
            guard Array(head[place..<place + 16]) == properties else { continue }
            guard head[place + 88] & 1 == 0 else { return nil }
            let size = (0..<8).reduce(Int64(0)) {
                $0 | Int64(truncatingIfNeeded: UInt64(head[place + 40 + $1]) << (8 * UInt64($1)))
            }
            return size > 0 ? size : nil
        }
        return nil
    }

    /// - Note: Source: Multimedia Programming Interface 1.0; 0 and all ones stand for unknown.
    private static func riff(_ head: [UInt8]) -> Int64? {
        guard head.count >= 8 else { return nil }
        let size = (0..<4).reduce(Int64(0)) { $0 | Int64(head[4 + $1]) << (8 * Int64($1)) }
        return size == 0 || size == 0xFFFF_FFFF ? nil : size + 8
    }

    /// - Note: Source: RFC 8794 §6 and RFC 9559; a size of all ones is unknown.
    private static func matroska(_ head: [UInt8]) -> Int64? {
        guard let header = variableInteger(head, at: 4), let size = header.value else { return nil }
        let segment = 4 + header.length + Int(clamping: size)
        guard segment + 4 <= head.count,
            Array(head[segment..<segment + 4]) == [0x18, 0x53, 0x80, 0x67],
            let length = variableInteger(head, at: segment + 4), let bytes = length.value
        else { return nil }
        let (end, overflow) = Int64(segment + 4 + length.length).addingReportingOverflow(bytes)
        return overflow ? nil : end
    }

    private static func variableInteger(
        _ bytes: [UInt8], at place: Int
    ) -> (length: Int, value: Int64?)? {
        guard place < bytes.count, bytes[place] != 0 else { return nil }
        let length = bytes[place].leadingZeroBitCount + 1
        guard place + length <= bytes.count else { return nil }
        let first = Int64(bytes[place]) & ((1 << (8 - Int64(length))) - 1)
        let value = (1..<length).reduce(first) { $0 << 8 | Int64(bytes[place + $1]) }
        return (length, value == (1 << (7 * Int64(length))) - 1 ? nil : value)
    }
}
