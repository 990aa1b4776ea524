/// Help as the table has it.
struct HelpText {
    private static let width = 79

    let command: CommandSpecification
    let path: [String]
    /// Whether every option is explained; else what most people need, on one screen.
    var isWhole = true

    /// The help, with its headings painted.
    func text(heading paint: (String) -> String = { $0 }) -> String {
        var lines = ["\(command.summary).", "", "\(paint("Usage:")) \(synopsis)"]
        let details = isWhole ? command.description : command.details
        if !details.isEmpty { lines += [""] + TextTable.wrap(details, width: Self.width) }
        lines += section(paint("Commands:"), command.subcommands.map { ($0.name, $0.summary) })
        if let argument = command.argument {
            lines += section(paint("Arguments:"), [(argument.name, Self.help(argument))])
        }
        lines += section(paint("Options:"), explained.map { (Self.label($0), help($0)) })
        if isWhole {
            lines += section(
                paint("Common options:"),
                CommandTable.acceptedEverywhere.map { (Self.label($0), help($0)) })
        }
        lines += examples(paint)
        if let ending { lines += ["", ending] }
        return lines.joined(separator: "\n") + "\n"
    }

    private static let explainCommand = "'takeup COMMAND --help' explains a command."

    /// Where the rest is; nil when there is none.
    private var ending: String? {
        guard !isWhole else { return path.isEmpty ? Self.explainCommand : nil }
        let whole = (["takeup"] + path + ["--help", "--all"]).joined(separator: " ")
        guard !path.isEmpty else {
            return "\(Self.explainCommand)\n'\(whole)' lists every common option."
        }
        let count = own.count - explained.count
        let rest =
            count == 0 ? "" : count == 1 ? " 1 more option and" : " \(count) more options and"
        return TextTable.wrap(
            "'\(whole)' explains\(rest) the common ones, such as --json, --quiet and --home.",
            width: Self.width
        ).joined(separator: "\n")
    }

    private var own: [OptionSpecification] {
        path.isEmpty ? (isWhole ? [] : command.options) : command.ownOptions
    }

    private var explained: [OptionSpecification] {
        guard !isWhole, !command.essentials.isEmpty else { return own }
        return own.filter { command.essentials.contains($0.name) }
    }

    private func examples(_ paint: (String) -> String) -> [String] {
        let shown = isWhole ? command.examples[...] : command.examples.prefix(2)
        guard !shown.isEmpty else { return [] }
        return ["", paint(shown.count == 1 ? "Example:" : "Examples:")]
            + shown.flatMap { ["  \($0.line)", "      \($0.effect)"] }
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

    private func help(_ option: OptionSpecification) -> String {
        Self.help(option, namesVariable: isWhole)
    }

    /// The help with what it may be set by and what it is when nobody sets it.
    static func help(_ option: OptionSpecification, namesVariable: Bool = true) -> String {
        var notes: [String] = []
        if option.hasLongValues {
            notes.append("one of \(option.allowedValues.joined(separator: ", "))")
        }
        if option.isRepeatable { notes.append("repeatable") }
        if let value = option.defaultValue { notes.append("default \(value)") }
        if namesVariable, let variable = option.environment { notes.append(variable) }
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
