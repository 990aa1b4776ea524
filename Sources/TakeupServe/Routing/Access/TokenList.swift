internal import TakeupDigest
internal import TakeupModel

/// The tokens that a file permits; only their digests are kept.
struct TokenList: Sendable, Equatable {
    struct Entry: Sendable, Equatable {
        /// SHA-256 of the token, in hexadecimal digits.
        let digest: String
        let scope: AccessScope
        let name: String
    }

    let entries: [Entry]

    /// Shorter ones could be guessed.
    static let shortestToken = 16
    static let longestFile = 1 << 20

    /// The first line that cannot be used, or that there is none to use; nil where all is well.
    let fault: Failure?

    /// Reads lines of `TOKEN` or `SCOPE TOKEN [NAME]`; a token alone may do everything, `#` begins a comment.
    init(_ text: String, path: String) {
        var (entries, fault): ([Entry], Failure?) = ([], nil)
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            let words = line.split { $0 == " " || $0 == "\t" }.map(String.init)
            guard let first = words.first, !first.hasPrefix("#") else { continue }
            do throws(Failure) {
                entries.append(try Self.entry(words, "line \(index + 1) of \(path)"))
            } catch {
                fault = fault ?? error
            }
        }
        self.entries = entries
        self.fault =
            fault ?? (entries.isEmpty ? Self.unusable("\(path) holds no token") : nil)
    }

    private static func entry(_ words: [String], _ place: String) throws(Failure) -> Entry {
        guard words.count > 1 else { return try entry(words[0], .admin, "", place) }
        guard let scope = AccessScope(rawValue: words[0]), scope != .anyone else {
            throw unusable("\(place) begins with no scope: read, submit or admin")
        }
        return try entry(words[1], scope, words.dropFirst(2).joined(separator: " "), place)
    }

    private static func entry(
        _ token: String, _ scope: AccessScope, _ name: String, _ place: String
    ) throws(Failure) -> Entry {
        guard token.utf8.count >= shortestToken else {
            throw unusable("the token in \(place) has fewer than \(shortestToken) characters")
        }
        return Entry(digest: SHA256Digest.of(token), scope: scope, name: name)
    }

    static func unusable(_ message: String) -> Failure {
        Failure(
            exitCode: .configuration, code: "tokenFile", stage: "request", message: message,
            hint: "write a line for each token: its scope, the token, and a name for it")
    }

    /// The entry of a token.
    ///
    /// All entries are compared to the end, so that the time tells nothing.
    func entry(of token: String) -> Entry? {
        let digest = SHA256Digest.of(token)
        var found: Entry?
        for entry in entries where ConstantTime.equal(entry.digest, digest) { found = entry }
        return found
    }
}

/// Compares secrets.
enum ConstantTime {
    /// Takes as long for texts that differ early as for those that differ late.
    static func equal(_ left: String, _ right: String) -> Bool {
        let (left, right) = (Array(left.utf8), Array(right.utf8))
        guard left.count == right.count else { return false }
        var difference: UInt8 = 0
        for index in left.indices { difference |= left[index] ^ right[index] }
        return difference == 0
    }
}
