/// One command with all options that it understands, flattened for the completion scripts.
struct CompletionRow {
    let path: [String]
    let command: CommandSpecification
    let options: [OptionSpecification]

    /// Every command below `root`, itself first.
    static func all(_ root: CommandSpecification) -> [CompletionRow] {
        rows(root, path: [], inherited: [])
    }

    private static func rows(
        _ command: CommandSpecification, path: [String], inherited: [OptionSpecification]
    ) -> [CompletionRow] {
        let options = inherited.isEmpty ? command.options : command.ownOptions + inherited
        let row = CompletionRow(path: path, command: command, options: options)
        return [row]
            + command.subcommands.flatMap {
                rows($0, path: path + [$0.name], inherited: options)
            }
    }
}

extension String {
    /// Every line moved to the right.
    func indented(_ columns: Int) -> String {
        let space = String(repeating: " ", count: columns)
        return split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : space + $0 }.joined(separator: "\n")
    }

    /// A word of a command line in a hint, which single quotes surround: quoted where a shell would part it.
    var shellWord: String {
        let isPlain = utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: "-._~/:@%+,=".utf8.contains(byte)
            }
        }
        if isPlain, !isEmpty { return self }
        let text = map { "\\\"$`".contains($0) ? "\\\($0)" : String($0) }.joined()
        return "\"\(text)\""
    }

    /// Between single quotes for a shell.
    var shellQuoted: String {
        "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#)
            + "'"
    }
}
