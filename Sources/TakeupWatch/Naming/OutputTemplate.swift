internal import TakeupDigest

/// How an output is called by its source, as `{folder}/{stem}.mp4`.
///
/// Whatever a source is called, its output lies below the output folder: names that lead elsewhere and
/// control characters are replaced, and what is too long is shortened.
public struct OutputTemplate: Sendable, Equatable {
    public static let mostBytes = 1024
    /// Size limit of one name, in bytes.
    public static let mostNameBytes = 255
    /// A suffix up to here is kept when its name is shortened.
    private static let mostSuffixBytes = 16

    enum Placeholder: String, CaseIterable {
        case folder, stem, name, suffix, preset, year, month, day
    }

    private enum Part: Sendable, Equatable {
        case text(String)
        case placeholder(Placeholder)
    }

    public let text: String
    private let parts: [Part]

    /// - Parameter text: At most 1024 bytes, relative, with `/` between names.
    /// - Throws: `WatchError.unreadable`.
    public init(_ text: String) throws(WatchError) {
        if let reason = Self.fault(text) {
            throw .unreadable(setting: "output name “\(text.prefix(80))”", reason: reason)
        }
        self.text = text
        parts = try Self.parts(text)
    }

    /// The output of a source.
    ///
    /// - Returns: A path from the output folder on.
    /// - Throws: `WatchError.failed` when there is no memory to shorten a name.
    public func path(for source: OutputSource) throws(WatchError) -> String {
        var path = ""
        for part in parts {
            switch part {
            case .text(let text): path += text
            case .placeholder(let placeholder): path += source.value(of: placeholder)
            }
        }
        var names: [String] = []
        for name in path.unicodeScalars.split(separator: "/") {
            names.append(try Self.safe(String(name)))
        }
        return names.isEmpty ? "_" : names.joined(separator: "/")
    }

    private static func fault(_ text: String) -> String? {
        if text.isEmpty { return "it is empty" }
        if text.utf8.count > mostBytes { return "it has more than \(mostBytes) bytes" }
        if text.utf8.first == UInt8(ascii: "/") { return "it is not relative" }
        if text.utf8.last == UInt8(ascii: "/") { return "it ends with a folder" }
        if text.unicodeScalars.contains(where: isControl) { return "it has control characters" }
        let names = text.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false)
        for name in names.map({ String($0) }) {
            if name.isEmpty || name == "." { return "it has a folder without a name" }
            if name == ".." { return "it leads out of the output folder" }
        }
        return nil
    }

    private static func parts(_ text: String) throws(WatchError) -> [Part] {
        var parts: [Part] = []
        var literal = ""
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            guard scalar == "{" || scalar == "}" else {
                literal.unicodeScalars.append(scalar)
                continue
            }
            let end = rest.firstIndex(of: "}")
            guard scalar == "{", let end else {
                throw .unreadable(setting: "output name", reason: "a brace stands alone")
            }
            let name = String(rest[..<end])
            guard let placeholder = Placeholder(rawValue: name) else {
                let known = Placeholder.allCases.map { "{\($0.rawValue)}" }.joined(separator: " ")
                throw .unreadable(
                    setting: "output name",
                    reason: "there is no {\(name.prefix(40))}; there are \(known)")
            }
            if !literal.isEmpty { parts.append(.text(literal)) }
            literal = ""
            parts.append(.placeholder(placeholder))
            rest = rest[rest.index(after: end)...]
        }
        return literal.isEmpty ? parts : parts + [.text(literal)]
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control
    }

    private static func safe(_ name: String) throws(WatchError) -> String {
        if name == "." || name == ".." { return "_" }
        var clean = ""
        for scalar in name.unicodeScalars {
            clean.unicodeScalars.append(isControl(scalar) ? "_" : scalar)
        }
        // A control character that became another: still two names for two.
        if clean.utf8.count > mostNameBytes || clean != name {
            return shortened(clean, of: name)
        }
        return clean
    }

    /// A name with a hash of the whole one before its suffix.
    private static func shortened(_ clean: String, of name: String) -> String {
        let mark = "~" + SHA256Digest.of(name).prefix(16)
        var suffix = ""
        if let dot = clean.lastIndex(of: "."), dot > clean.startIndex,
            clean[dot...].utf8.count <= mostSuffixBytes
        {
            suffix = String(clean[dot...])
        }
        var room = mostNameBytes - mark.utf8.count - suffix.utf8.count
        var stem = ""
        for scalar in clean.dropLast(suffix.count).unicodeScalars {
            room -= UTF8.width(scalar)
            guard room >= 0 else { break }
            stem.unicodeScalars.append(scalar)
        }
        return stem + mark + suffix
    }
}
