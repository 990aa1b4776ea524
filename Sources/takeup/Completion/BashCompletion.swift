/// Completion for bash, from the table.
enum BashCompletion {
    static func script(_ root: CommandSpecification, presets: [String]) -> String {
        let rows = CompletionRow.all(root)
        return """
            # Completion of takeup for bash: source this file.
            _takeup() {
                local word previous command index
                word=${COMP_WORDS[COMP_CWORD]}
                previous=${COMP_WORDS[COMP_CWORD-1]}
                command=
                COMPREPLY=()
                for ((index = 1; index < COMP_CWORD; index++)); do
                    case "$command ${COMP_WORDS[index]}" in
            \(commandCases(rows).indented(8))
                    esac
                done
                case "$command:$previous" in
            \(valueCases(rows, presets: presets).indented(8))
                esac
                case "$command" in
            \(wordCases(rows, presets: presets).indented(8))
                esac
            }
            complete -F _takeup takeup

            """
    }

    private static func commandCases(_ rows: [CompletionRow]) -> String {
        rows.filter { !$0.path.isEmpty }.map { row in
            let parent = row.path.dropLast().joined(separator: "/")
            let whole = row.path.joined(separator: "/")
            return "'\(parent) \(row.command.name)') command=\(whole) ;;"
        }.joined(separator: "\n")
    }

    private static func valueCases(_ rows: [CompletionRow], presets: [String]) -> String {
        rows.flatMap { row in
            row.options.filter(\.takesValue).map { option in
                let whole = row.path.joined(separator: "/")
                let names = ["--\(option.name)"] + (option.short.map { ["-\($0)"] } ?? [])
                let pattern = names.map { "'\(whole):\($0)'" }.joined(separator: "|")
                let words = option.allowedValues + option.completion.words(presets: presets)
                return "\(pattern)) \(reply(words, option.completion)); return ;;"
            }
        }.joined(separator: "\n")
    }

    private static func wordCases(_ rows: [CompletionRow], presets: [String]) -> String {
        rows.map { row in
            let whole = row.path.joined(separator: "/")
            let options = row.options.flatMap { option in
                ["--\(option.name)"] + option.forms.map { "--\(option.name)=\($0)" }
            }
            let argument = row.command.argument
            var words = row.command.subcommands.map(\.name) + (argument?.allowedValues ?? [])
            words += argument?.completion.words(presets: presets) ?? []
            let plain = reply(words, argument?.completion ?? .nothing)
            return """
                '\(whole)')
                    case "$word" in
                    -*) \(reply(options, .nothing)) ;;
                    *) \(plain) ;;
                    esac ;;
                """
        }.joined(separator: "\n")
    }

    private static func reply(_ words: [String], _ kind: CompletionKind) -> String {
        let list = words.joined(separator: " ")
        let files =
            switch kind {
            case .nothing, .presetField: ""
            case .file, .preset, .template: " -f"
            case .directory: " -d"
            }
        let option = files.isEmpty ? "" : "compopt -o filenames 2>/dev/null; "
        return "\(option)COMPREPLY=($(compgen\(files) -W '\(list)' -- \"$word\"))"
    }
}
