/// Help as the table has it.
struct HelpText {
    private static let width = 79

    let command: CommandSpecification
    let path: [String]

    /// The whole help, with its headings painted.
    func text(heading paint: (String) -> String = { $0 }) -> String {
        var lines = ["\(command.summary).", "", "\(paint("Usage:")) \(synopsis)"]
        if !command.details.isEmpty {
            lines += [""] + TextTable.wrap(command.details, width: Self.width)
        }
        lines += section(paint("Commands:"), command.subcommands.map { ($0.name, $0.summary) })
        if let argument = command.argument {
            lines += section(paint("Arguments:"), [(argument.name, Self.help(argument))])
        }
        let own = path.isEmpty ? [] : command.options
        lines += section(paint("Options:"), own.map { (Self.label($0), Self.help($0)) })
        lines += section(
            paint("Common options:"),
            CommandTable.commonOptions.map { (Self.label($0), Self.help($0)) })
        if !command.examples.isEmpty {
            lines += ["", paint(command.examples.count == 1 ? "Example:" : "Examples:")]
            for example in command.examples {
                lines += ["  \(example.line)", "      \(example.effect)"]
            }
        }
        if path.isEmpty {
            lines += ["", "'takeup COMMAND --help' explains a command."]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    var synopsis: String {
        var words = ["takeup"] + path
        if !command.subcommands.isEmpty { words.append("COMMAND") }
        if let argument = command.argument { words.append(argument.synopsis) }
        for option in command.options where option.isRequired {
            words.append(option.short.map { "-\($0)" } ?? "--\(option.name)")
            words.append(option.valueName ?? "")
        }
        words.append("[OPTIONS]")
        return words.joined(separator: " ")
    }

    static func label(_ option: OptionSpecification) -> String {
        let short = option.short.map { "-\($0), " } ?? "    "
        return short + option.synopsis
    }

    /// The help with what it may be set by and what it is when nobody sets it.
    static func help(_ option: OptionSpecification) -> String {
        var notes: [String] = []
        if option.hasLongValues {
            notes.append("one of \(option.allowedValues.joined(separator: ", "))")
        }
        if option.isRepeatable { notes.append("repeatable") }
        if let value = option.defaultValue { notes.append("default \(value)") }
        if let variable = option.environment { notes.append(variable) }
        return notes.isEmpty ? option.help : "\(option.help) [\(notes.joined(separator: ", "))]"
    }

    static func help(_ argument: ArgumentSpecification) -> String {
        let values = argument.allowedValues.joined(separator: ", ")
        return values.isEmpty ? argument.help : "\(argument.help): \(values)"
    }

    private func section(_ title: String, _ rows: [(String, String)]) -> [String] {
        guard !rows.isEmpty else { return [] }
        let longest = rows.map(\.0.count).filter { $0 <= 26 }.max() ?? 26
        var lines = ["", title]
        for (label, help) in rows {
            let wrapped = TextTable.wrap(help, width: Self.width - longest - 4)
            let indent = String(repeating: " ", count: longest + 4)
            if label.count > longest {
                lines.append("  \(label)")
                lines += wrapped.map { indent + $0 }
            } else {
                lines.append("  \(TextTable.padded(label, to: longest))  \(wrapped.first ?? "")")
                lines += wrapped.dropFirst().map { indent + $0 }
            }
        }
        return lines
    }
}
