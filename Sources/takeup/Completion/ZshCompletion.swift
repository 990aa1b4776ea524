/// Completion for zsh, from the table.
enum ZshCompletion {
    static func script(_ root: CommandSpecification, presets: [String]) -> String {
        let functions = CompletionRow.all(root).map(function)
        return "#compdef takeup\n"
            + "# Completion of takeup for zsh: save as _takeup in a folder of fpath.\n\n"
            + presetFunction(presets) + functions.joined(separator: "\n")
            + "\nif [ \"$funcstack[1]\" = \"_takeup\" ]; then\n    _takeup \"$@\"\n"
            + "else\n    compdef _takeup takeup\nfi\n"
    }

    private static func presetFunction(_ presets: [String]) -> String {
        """
        _takeup_preset_or_file() {
            _alternative 'presets:preset:(\(presets.joined(separator: " ")))' 'files:file:_files'
        }


        """
    }

    private static func name(_ path: [String]) -> String {
        (["_takeup"] + path).joined(separator: "_")
    }

    private static func function(_ row: CompletionRow) -> String {
        var specifications = row.options.map(option)
        if !row.command.subcommands.isEmpty {
            specifications += ["'1: :->command'", "'*:: :->rest'"]
        } else if let argument = row.command.argument {
            let place = argument.count.upperBound > 1 ? "*" : "1"
            let action = action(argument.allowedValues, argument.completion)
            specifications.append("\(place):\(argument.name):\(action)".shellQuoted)
        }
        let arguments = specifications.map { "        \($0)" }.joined(separator: " \\\n")
        return """
            \(name(row.path))() {
                local state line
                _arguments -S -C \\
            \(arguments)
            \(row.command.subcommands.isEmpty ? "" : dispatch(row))}

            """
    }

    private static func dispatch(_ row: CompletionRow) -> String {
        let commands = row.command.subcommands.map {
            "            \("\($0.name):\(escaped($0.summary))".shellQuoted)"
        }
        let cases = row.command.subcommands.map {
            "        \($0.name)) \(name(row.path + [$0.name])) ;;"
        }
        return """
                case "$state" in
                command)
                    local -a commands
                    commands=(
            \(commands.joined(separator: "\n"))
                    )
                    _describe command commands ;;
                rest)
                    case "$line[1]" in
            \(cases.joined(separator: "\n"))
                    esac ;;
                esac

            """
    }

    private static func option(_ option: OptionSpecification) -> String {
        let help = "[\(escaped(option.help))]"
        var value = ""
        if let name = option.valueName {
            let action = action(option.allowedValues, option.completion)
            value = ":\(escaped(name)):\(action)"
        } else if !option.forms.isEmpty {
            value = "::form:(\(option.forms.joined(separator: " ")))"
        }
        let sign = option.takesValue ? "=" : option.forms.isEmpty ? "" : "=-"
        let repeats = option.isRepeatable ? "*" : ""
        guard let short = option.short else {
            return "\(repeats)--\(option.name)\(sign)\(help)\(value)".shellQuoted
        }
        let pair = "{-\(short)\(option.takesValue ? "+" : ""),--\(option.name)\(sign)}"
        let excluded = "(-\(short) --\(option.name))".shellQuoted
        return excluded + pair + "\(help)\(value)".shellQuoted
    }

    private static func action(_ values: [String], _ kind: CompletionKind) -> String {
        guard values.isEmpty else { return "(\(values.joined(separator: " ")))" }
        switch kind {
        case .nothing: return " "
        case .file: return "_files"
        case .directory: return "_files -/"
        case .preset: return "_takeup_preset_or_file"
        case .presetField, .template: return "(\(kind.words(presets: []).joined(separator: " ")))"
        }
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            if "[]:\\".contains(character) { result += "\\" }
            result.append(character)
        }
        return result
    }
}
