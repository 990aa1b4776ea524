import Foundation

/// Keeps passwords of database addresses out of what `ps` shows of this process.
enum HiddenSecrets {
    /// Where the kernel keeps the arguments: fields 48 and 49 of `/proc/self/stat`, of which two stand before the last `)`.
    private static let (firstField, lastField) = (45, 46)

    /// Overwrites them, once the program has its own copy of its arguments.
    static func hide(in arguments: [[UInt8]]) {
        guard arguments.contains(where: { secret(in: $0[...]) != nil }),
            let text = try? String(contentsOfFile: "/proc/self/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return }
        let fields = text[end...].dropFirst().split(separator: " ")
        guard fields.count > lastField, let first = UInt(fields[firstField]),
            let last = UInt(fields[lastField]), first < last,
            let start = UnsafeMutablePointer<UInt8>(bitPattern: first)
        else { return }
        // Safe: the kernel mapped these bytes, writable, for as long as the process lives.
        let memory = UnsafeMutableBufferPointer(start: start, count: Int(last - first))
        var place = memory.startIndex
        for word in memory.split(separator: 0, omittingEmptySubsequences: false) {
            for range in secret(in: Array(word)[...]) ?? [] {
                for index in range { memory[place + index] = UInt8(ascii: "*") }
            }
            place += word.count + 1
        }
    }

    /// The places of the passwords in an argument that holds an address of a server; nil where it holds none.
    static func secret(in argument: ArraySlice<UInt8>) -> [Range<Int>]? {
        let text = Array(argument)
        let scheme = ["postgres://", "postgresql://"].compactMap { find($0, in: text) }.first
        var found: [Range<Int>] = []
        if let scheme, let at = text.lastIndex(of: UInt8(ascii: "@")), at > scheme,
            let colon = text[scheme..<at].firstIndex(of: UInt8(ascii: ":"))
        {
            found.append(colon + 1..<at)
        }
        if let option = find("password=", in: text) {
            let rest = text[option...]
            let end = scheme == nil ? nil : rest.firstIndex(of: UInt8(ascii: "&"))
            found.append(option..<(end ?? rest.endIndex))
        }
        return found.isEmpty ? nil : found
    }

    /// Where a text ends in some bytes, capitals or not.
    private static func find(_ word: String, in text: [UInt8]) -> Int? {
        let word = Array(word.utf8)
        guard text.count >= word.count else { return nil }
        for start in 0...(text.count - word.count) {
            let isHere = word.indices.allSatisfy { text[start + $0] | 0x20 == word[$0] | 0x20 }
            if isHere { return start + word.count }
        }
        return nil
    }
}
