import TakeupModel

/// The manual page, from the table.
enum ManPage {
    static func text(_ root: CommandSpecification, version: String) -> String {
        var lines = [
            ".TH TAKEUP 1 \"\" \"takeup \(version)\" \"User Commands\"",
            ".SH NAME", "takeup \\- \(escaped(lowered(root.summary)))",
            ".SH SYNOPSIS", ".B takeup", ".I COMMAND", "[\\fIOPTIONS\\fR]",
            ".SH DESCRIPTION", escaped(root.details), ".SH COMMANDS",
        ]
        for row in CompletionRow.all(root) where row.command.subcommands.isEmpty {
            lines += command(row)
        }
        lines += [".SH COMMON OPTIONS"] + root.options.flatMap(option)
        lines += [".SH ENVIRONMENT"] + environment(root)
        lines += [".SH FILES"] + files + [".SH EXIT STATUS"]
        for (code, meaning) in exits { lines += [".TP", ".B \(code.rawValue)", escaped(meaning)] }
        lines += [".SH EXAMPLES"] + examples(root)
        return lines.joined(separator: "\n") + "\n"
    }

    private static func command(_ row: CompletionRow) -> [String] {
        let help = HelpText(command: row.command, path: row.path)
        var lines = [
            ".SS \(escaped(row.path.joined(separator: " ")))", ".B \(escaped(help.synopsis))",
        ]
        lines += [".PP", escaped(row.command.summary + ".")]
        let description = row.command.description
        if !description.isEmpty { lines += [".PP", escaped(description)] }
        return lines + row.command.ownOptions.flatMap(option)
    }

    private static func option(_ option: OptionSpecification) -> [String] {
        var label = option.short.map { "\\fB\\-\($0)\\fR, " } ?? ""
        label += "\\fB\\-\\-\(escaped(option.name))\\fR"
        if let name = option.valueName {
            let values = option.allowedValues.joined(separator: "|")
            label += " \\fI\(escaped(values.isEmpty ? name : values))\\fR"
        } else if !option.forms.isEmpty {
            label += "[=\\fI\(escaped(option.forms.joined(separator: "|")))\\fR]"
        }
        return [".TP", label, escaped(HelpText.help(option) + ".")]
    }

    private static func environment(_ root: CommandSpecification) -> [String] {
        CommandTable.settings.flatMap { option in
            [
                ".TP", ".B \(escaped(option.environment ?? ""))",
                "Sets \\fB\\-\\-\(escaped(option.name))\\fR.",
            ]
        }
    }

    private static let files = [
        ".TP", ".I $XDG_CONFIG_HOME/takeup/config.json",
        escaped(
            #"Settings by option name, such as {"preset": "medium"}; a flag or an environment "#
                + "variable wins over it."),
    ]

    private static let exits: [(ExitCode, String)] = ExitCode.all.map { ($0, $0.meaning) }

    private static func examples(_ root: CommandSpecification) -> [String] {
        CompletionRow.all(root).dropFirst().flatMap(\.command.examples).flatMap { example in
            [".TP", ".B \(escaped(example.line))", escaped(example.effect + ".")]
        }
    }

    private static func lowered(_ text: String) -> String {
        text.prefix(1).lowercased() + text.dropFirst()
    }

    /// Text that roff shows as it is: no line of it is taken for a request.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            case "'": result += "\\(aq"
            case "…": result += "..."
            default: result.append(character)
            }
        }
        return result.hasPrefix(".") ? "\\&" + result : result
    }
}
