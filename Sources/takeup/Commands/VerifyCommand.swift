import TakeupModel

/// Decodes a file whole and says what is wrong with it.
struct VerifyCommand: Command {
    static let specification = CommandSpecification(
        name: "verify",
        summary: "Decode a file whole and say what is wrong with it",
        details: "Ends with 0 when nothing is wrong and with 76 when something is.",
        argument: ArgumentSpecification(
            name: "FILE", count: 1...1, completion: .file, help: "Media file"),
        examples: [.init(line: "takeup verify clip.mp4", effect: "decode every frame of clip.mp4")],
        worksOnMedia: true,
        make: { input throws(UsageError) in VerifyCommand(input) })

    let style: OutputStyle
    private let path: String

    init(_ input: CommandInput) {
        style = OutputStyle(input)
        path = input.arguments[0]
    }

    func run(in context: CommandContext) async throws(Failure) -> ExitCode {
        let found: Verification
        do {
            found = try await context.engine.decodeWhole(context.resolve(path))
        } catch {
            throw Failure(error, signal: context.interrupts.signal)
        }
        style.isJSON ? context.print(json(found)) : say(found, in: context)
        return found.problems.isEmpty ? .success : .verificationFailed
    }

    private func json(_ found: Verification) -> JSONValue {
        [
            "file": .text(path), "valid": .flag(found.problems.isEmpty),
            "duration": .time(found.duration), "frames": .integer(Int64(found.frames)),
            "problems": .list(found.problems.map(JSONValue.text)),
        ]
    }

    private func say(_ found: Verification, in context: CommandContext) {
        for problem in found.problems { context.print("\(path.escaped): \(problem.escaped)") }
        guard !style.isQuiet, found.problems.isEmpty else { return }
        let frames = found.frames > 0 ? ", \(found.frames) frames" : ""
        context.print(
            "\(path.escaped): nothing wrong; \(ClockText.exact(found.duration))\(frames) decoded")
    }
}
