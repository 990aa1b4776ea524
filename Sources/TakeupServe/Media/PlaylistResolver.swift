internal import TakeupCurl

/// Resolves the references of one playlist, most of them without a parser.
struct PlaylistResolver {
    private let base: WebAddress
    /// Scheme and authority of the base, and of the address that was parsed last.
    private let root: [UInt8]
    private var lastRoot: [UInt8]
    /// The base to the last slash of its path.
    private let folder: [UInt8]

    init(_ base: WebAddress) {
        self.base = base
        root = Self.root(of: base)
        lastRoot = root
        let path = base.text.utf8.prefix { $0 != UInt8(ascii: "?") }
        let end = path.lastIndex(of: UInt8(ascii: "/")) ?? path.endIndex
        folder = Array(path[..<end]) + [UInt8(ascii: "/")]
    }

    /// - Returns: An absolute http or https address; nil for any other, and for what is none.
    mutating func resolve(_ reference: ArraySlice<UInt8>) -> String? {
        guard let first = reference.first else { return nil }
        if let scheme = Self.scheme(of: reference) {
            guard scheme.isHTTP else { return nil }
            if reference.starts(with: lastRoot), Self.isPlain(reference[(scheme.endIndex + 3)...]),
                reference.dropFirst(lastRoot.count).first == UInt8(ascii: "/")
            {
                return String(decoding: reference, as: UTF8.self)
            }
        } else if Self.isPlain(reference) {
            let isRooted = first == UInt8(ascii: "/")
            if !isRooted, first != UInt8(ascii: "?") {
                return Self.joined(folder, reference)
            }
            if isRooted, reference.dropFirst().first != UInt8(ascii: "/") {
                return Self.joined(root, reference)
            }
        }
        // libcurl takes a relative reference for an address where its authority is odd.
        guard let text = String(validating: reference, as: UTF8.self),
            let address = try? base.resolving(text)
        else { return nil }
        if Self.scheme(of: reference) != nil { lastRoot = Self.root(of: address) }
        return address.text
    }

    private static func joined(_ start: [UInt8], _ end: ArraySlice<UInt8>) -> String? {
        guard start.count + end.count <= WebAddress.longestBytes else { return nil }
        return String(unsafeUninitializedCapacity: start.count + end.count) { room in
            _ = room.initialize(fromContentsOf: start)
            _ = room[start.count...].initialize(fromContentsOf: end)
            return start.count + end.count
        }
    }

    private static func root(of address: WebAddress) -> [UInt8] {
        let text = Array(address.text.utf8)
        let start = address.scheme.rawValue.utf8.count + 3
        return Array(text[..<(text[start...].firstIndex(of: UInt8(ascii: "/")) ?? text.endIndex)])
    }

    /// The scheme that a reference begins with, without its colon.
    private static func scheme(of reference: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let first = reference.first, (first | 0x20).isLetter else { return nil }
        for (index, byte) in zip(reference.indices, reference) {
            if byte == UInt8(ascii: ":") { return reference[..<index] }
            guard (byte | 0x20).isLetter || schemeMarks.contains(byte) else { return nil }
        }
        return nil
    }

    private static let schemeMarks = Set("0123456789+-.".utf8)

    /// Bytes of a path or query that no parser changes.
    private static let plain: [Bool] = {
        var table = [Bool](repeating: false, count: 256)
        let marks =
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&'()*+,;=:@/%?"
        for byte in marks.utf8 { table[Int(byte)] = true }
        return table
    }()

    /// Whether a reference can be joined to a base as it is: no dot segments, nothing to encode.
    private static func isPlain(_ reference: ArraySlice<UInt8>) -> Bool {
        plain.withUnsafeBufferPointer { plain in
            reference.withUnsafeBufferPointer { bytes in
                for index in bytes.indices {
                    let byte = bytes[index]
                    guard plain[Int(byte)] else { return false }
                    if byte == UInt8(ascii: ".") {
                        guard index + 1 < bytes.count, bytes[index + 1] != UInt8(ascii: "/"),
                            bytes[index + 1] != UInt8(ascii: "?")
                        else { return false }
                    } else if byte == UInt8(ascii: "%") {
                        // A dot in disguise, or what is no encoding at all.
                        guard index + 2 < bytes.count, bytes[index + 2] | 0x20 != UInt8(ascii: "e")
                        else { return false }
                    }
                }
                return true
            }
        }
    }
}

extension UInt8 {
    /// Of a byte in lower case.
    fileprivate var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }
}

extension ArraySlice<UInt8> {
    fileprivate var isHTTP: Bool {
        (count == 4 || count == 5)
            && lazy.map { $0 | 0x20 }.elementsEqual("https".utf8.prefix(count))
    }
}
