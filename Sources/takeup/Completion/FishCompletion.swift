/// Completion for fish, from the table.
enum FishCompletion {
    static func script(_ root: CommandSpecification, presets: [String]) -> String {
        var lines = [
            "# Completion of takeup for fish: save as takeup.fish in a completions folder.",
            "complete -c takeup -f",
        ]
        for row in CompletionRow.all(root) {
            lines += commands(row)
            let options = row.path.isEmpty ? row.options : row.command.ownOptions
            lines += options.map { option($0, row, presets: presets) }
            lines += arguments(row, presets: presets)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// True where the words so far are those of `row`, and none of its own commands yet.
    private static func condition(_ row: CompletionRow, isExact: Bool) -> String {
        var tests = row.path.map { "__fish_seen_subcommand_from \($0)" }
        let below = row.command.subcommands.map(\.name)
        if isExact, !below.isEmpty {
            tests.append("not __fish_seen_subcommand_from \(below.joined(separator: " "))")
        }
        return tests.isEmpty ? "" : " -n \(tests.joined(separator: "; and ").shellQuoted)"
    }

    private static func commands(_ row: CompletionRow) -> [String] {
        let condition = condition(row, isExact: true)
        return row.command.subcommands.map {
            "complete -c takeup\(condition) -a \($0.name) -d \($0.summary.fishQuoted)"
        }
    }

    private static func option(
        _ option: OptionSpecification, _ row: CompletionRow, presets: [String]
    ) -> String {
        var line = "complete -c takeup\(condition(row, isExact: false)) -l \(option.name)"
        if let short = option.short { line += " -s \(short)" }
        line += " -d \(option.help.fishQuoted)"
        guard option.takesValue else { return line }
        let isFile = option.completion.isFile
        return line + (isFile ? " -r" : " -x")
            + values(option.allowedValues, option.completion, presets)
    }

    private static func arguments(_ row: CompletionRow, presets: [String]) -> [String] {
        guard let argument = row.command.argument else { return [] }
        let offered = values(argument.allowedValues, argument.completion, presets)
        return ["complete -c takeup\(condition(row, isExact: true))\(offered)"]
    }

    private static func values(
        _ values: [String], _ kind: CompletionKind, _ presets: [String]
    ) -> String {
        let words = values + kind.words(presets: presets)
        let list = words.isEmpty ? "" : " -a \(words.joined(separator: " ").fishQuoted)"
        return kind.isFile ? " -F" + list : list
    }
}

extension String {
    /// Between single quotes for fish, which escapes inside them.
    fileprivate var fishQuoted: String {
        var result = "'"
        for character in self {
            if character == "'" || character == "\\" { result += "\\" }
            result.append(character)
        }
        return result + "'"
    }
}
