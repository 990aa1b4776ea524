import TakeupIntake

/// Reads a command line against the table of commands; total over any list of strings.
struct ArgumentReader {
    private let arguments: [String]
    private var position = 0
    private var commands: [CommandSpecification]
    private var options: [String: [String]] = [:]
    private var positionals: [String] = []
    private var isBehindDashes = false

    /// Takes the arguments without the program's name.
    init(_ arguments: [String], table: CommandSpecification) {
        self.arguments = arguments
        commands = [table]
    }

    /// - Throws: For a word that the table does not know, with the nearest that it does.
    consuming func read() throws(UsageError) -> Invocation {
        var reader = self
        while let argument = reader.next() {
            try reader.take(argument)
        }
        let invocation = Invocation(
            command: reader.command, path: reader.path, options: reader.options,
            arguments: reader.positionals)
        if invocation.has("help") || invocation.has("version") { return invocation }
        guard !invocation.has("all") else {
            throw UsageError("--all goes with --help alone", path: reader.path)
        }
        try reader.checkCounts()
        return invocation
    }

    private var command: CommandSpecification { commands[commands.count - 1] }
    private var path: [String] { commands.dropFirst().map(\.name) }
    private var known: [OptionSpecification] { commands.flatMap(\.options) }

    private mutating func next() -> String? {
        guard position < arguments.count else { return nil }
        position += 1
        return arguments[position - 1]
    }

    private mutating func take(_ argument: String) throws(UsageError) {
        if isBehindDashes {
            try takePositional(argument)
        } else if argument == "--" {
            isBehindDashes = true
        } else if argument.hasPrefix("--") {
            try takeLong(argument.dropFirst(2))
        } else if argument.hasPrefix("-"), argument.count > 1 {
            try checkHabit(argument)
            try takeShort(argument.dropFirst())
        } else if !command.subcommands.isEmpty {
            try takeCommand(argument)
        } else {
            try takePositional(argument)
        }
    }

    /// Refuses words of other programs that would be read as short options: `-preset` is no `-p reset`.
    private func checkHabit(_ word: String) throws(UsageError) {
        let name = word.dropFirst()
        guard name.count > 1 else { return }
        if let option = known.first(where: { $0.name == name }) {
            throw UsageError(
                "there is no option \(word)", hint: "write --\(option.name), with two dashes",
                path: path)
        }
        guard let hint = Habit.hint(for: word) else { return }
        throw UsageError("there is no option \(word)", hint: hint, path: path)
    }

    private mutating func takeCommand(_ word: String) throws(UsageError) {
        guard !word.isEmpty else {
            throw UsageError(
                "an argument is empty where a command is expected", hint: Self.emptyHint,
                path: path)
        }
        // `takeup help export` is `takeup export --help`.
        guard word != "help" else { return try takeLong("help") }
        guard let found = command.subcommand(word) else {
            let nearest = Spelling.nearest(to: word, among: command.subcommands.map(\.name))
            let whole = (["takeup"] + path).joined(separator: " ")
            let isFile = path.isEmpty && (word.contains("/") || MediaName.isMedia(word))
            let hint = nearest.map { "did you mean '\(whole) \($0)'?" }
            throw UsageError(
                "there is no command '\(whole) \(word)'",
                hint: isFile ? "a file is exported by: takeup export INPUT -o OUT" : hint,
                path: path)
        }
        commands.append(found)
    }

    private mutating func takePositional(_ word: String) throws(UsageError) {
        guard let specification = command.argument else {
            throw UsageError("unexpected argument '\(word)'", path: path)
        }
        guard !word.isEmpty else {
            throw UsageError(
                "\(specification.name) is empty", hint: Self.emptyHint, path: path)
        }
        try checkAllowed(word, specification.allowedValues, of: specification.name)
        positionals.append(word)
    }

    private static let emptyHint = "an unset shell variable in quotes is an empty argument"

    private mutating func takeLong(_ text: Substring) throws(UsageError) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let option = known.first(where: { $0.name == name }) else {
            throw unknown("--\(name)", name: name)
        }
        try store(option, attached: parts.count == 2 ? String(parts[1]) : nil)
    }

    private mutating func takeShort(_ text: Substring) throws(UsageError) {
        var rest = text
        while let letter = rest.popFirst() {
            guard let option = known.first(where: { $0.short == letter }) else {
                throw unknown("-\(letter)", name: String(text))
            }
            guard option.takesValue else {
                try store(option, attached: nil)
                continue
            }
            if rest.first == "=" { rest.removeFirst() }
            try store(option, attached: rest.isEmpty ? nil : String(rest))
            return
        }
    }

    private mutating func store(
        _ option: OptionSpecification, attached: String?
    ) throws(UsageError) {
        guard option.takesValue else {
            guard attached == nil || !option.forms.isEmpty else {
                throw UsageError("--\(option.name) takes no value", path: path)
            }
            if let attached { try checkAllowed(attached, option.forms, of: "--\(option.name)") }
            options[option.name, default: []].append(attached ?? "")
            return
        }
        let value = attached ?? nextValue()
        guard value != "" else {
            throw UsageError(
                "the value of --\(option.name) is empty", hint: Self.emptyHint, path: path)
        }
        guard let value else {
            throw UsageError(
                "--\(option.name) needs a value", hint: "write \(option.synopsis)", path: path)
        }
        try checkAllowed(value, option.allowedValues, of: "--\(option.name)")
        guard option.isRepeatable || options[option.name] == nil else {
            throw UsageError(
                "--\(option.name) is given twice", hint: "leave one of the two out", path: path)
        }
        options[option.name, default: []].append(value)
    }

    /// The next word, unless it is plainly the next option: `-5` and `-out.mp4` are values.
    private mutating func nextValue() -> String? {
        guard position < arguments.count else { return nil }
        let word = arguments[position]
        let name = word.dropFirst(2).prefix { $0 != "=" }
        let isOption = word.hasPrefix("--") && known.contains { $0.name == name }
        return word == "--" || isOption ? nil : next()
    }

    private func checkAllowed(
        _ value: String, _ allowed: [String], of subject: String
    ) throws(UsageError) {
        guard !allowed.isEmpty, !allowed.contains(value) else { return }
        throw UsageError(
            "\(subject) cannot be '\(value)'",
            hint: Self.suggestion(for: value, among: allowed), path: path)
    }

    /// The nearest allowed value, or all of them.
    static func suggestion(for value: String, among allowed: [String]) -> String {
        if let nearest = Spelling.nearest(to: value, among: allowed) {
            return "did you mean '\(nearest)'?"
        }
        return "use one of: \(allowed.joined(separator: ", "))"
    }

    private func unknown(_ shown: String, name: String) -> UsageError {
        let nearest = Spelling.nearest(to: name, among: known.map(\.name))
        let owner = command.subcommands.first { $0.option(name) != nil }
        let placed = owner.map { "write it behind the command: takeup \($0.name) --\(name)" }
        let hint = placed ?? Habit.hint(for: shown) ?? nearest.map { "did you mean --\($0)?" }
        return UsageError("there is no option \(shown)", hint: hint, path: path)
    }

    private func checkCounts() throws(UsageError) {
        guard command.subcommands.isEmpty else {
            let whole = (["takeup"] + path).joined(separator: " ")
            let names = command.subcommands.map(\.name).joined(separator: ", ")
            throw UsageError("'\(whole)' needs a command", hint: "one of: \(names)", path: path)
        }
        guard let specification = command.argument else { return }
        guard positionals.count >= specification.count.lowerBound else {
            throw UsageError("\(specification.name) is missing", path: path)
        }
        guard positionals.count <= specification.count.upperBound else {
            let extra = positionals[specification.count.upperBound]
            throw UsageError("unexpected argument '\(extra)'", path: path)
        }
    }
}
