import Foundation
import TakeupModel
import TestSupport
import Testing

@testable import takeup

@Suite("Completion and manual")
struct CompletionTests {
    private func print(_ shell: String, in bench: TestBench) async throws -> String {
        #expect(await bench.run("completion \(shell)") == .success)
        return try bench.write(bench.output.text, to: "script.\(shell)")
    }

    /// Runs a program; nil when it is not installed.
    private func run(_ arguments: [String]) throws -> (code: Int32?, text: String)? {
        let folders = ["/usr/bin", "/bin", "/usr/local/bin"]
        let found = folders.map { "\($0)/\(arguments[0])" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
        guard let found else { return nil }
        let outcome = try Subprocess.run(found, Array(arguments.dropFirst()))
        return (outcome.exitCode, outcome.outputText + outcome.errorText)
    }

    @Test("every script is one that its shell can read", arguments: ["bash", "zsh", "fish"])
    func syntax(shell: String) async throws {
        let bench = try TestBench()
        let path = try await print(shell, in: bench)
        guard let result = try run([shell, "-n", path]) else { return }
        #expect(result.code == 0, "\(result.text)")
        #expect(result.text.isEmpty)
    }

    @Test(
        "bash offers commands, options, values and presets",
        arguments: [
            (["takeup", "ex"], "export"), (["takeup", "presets", "sh"], "show"),
            (["takeup", "export", "--over"], "--overwrite"),
            (["takeup", "export", "--overwrite", "u"], "unique"),
            (["takeup", "export", "a.mov", "-p", "1280"], "1280x720"),
            (["takeup", "completion", "fi"], "fish"),
            (["takeup", "presets", "show", "pass"], "passthrough"),
        ])
    func bash(words: [String], expected: String) async throws {
        let bench = try TestBench()
        let path = try await print("bash", in: bench)
        let list = words.map(\.shellQuoted).joined(separator: " ")
        let script = """
            source \(path.shellQuoted); COMP_WORDS=(\(list)); COMP_CWORD=\(words.count - 1)
            _takeup; echo "${COMPREPLY[*]}"
            """
        let result = try #require(try run(["bash", "-c", script]))
        #expect(result.text == "\(expected)\n")
    }

    @Test("the manual page is clean roff and names every option")
    func manual() async throws {
        let bench = try TestBench()
        let path = try await print("man", in: bench)
        for option in CommandTable.everyOption {
            let name = option.name.replacing("-", with: "\\-")
            #expect(bench.output.text.contains("\\fB\\-\\-\(name)\\fR"))
        }
        guard let result = try run(["man", "--warnings", "-l", path]) else { return }
        #expect(result.code == 0)
        #expect(!result.text.contains("warning"))
    }

    @Test("help fits a screen, says that there is more, and names only options that exist")
    func shortHelp() async throws {
        for row in CompletionRow.all(CommandTable.root) {
            let bench = try TestBench()
            #expect(
                await bench.run((row.path + ["--help"]).joined(separator: " ")) == .success)
            #expect(bench.output.lines.count <= 40, "\(row.path)")
            let words = (["takeup"] + row.path + ["--help", "--all"]).joined(separator: " ")
            #expect(bench.output.text.contains("'\(words)'"))
            let known = Set(row.options.map(\.name))
            #expect(row.command.essentials.allSatisfy(known.contains), "\(row.path)")
            for line in bench.output.lines {
                #expect(line.count <= 79 || line.hasPrefix("  takeup"), "\(line)")
            }
        }
    }

    @Test("the whole help names every command and option that exists, and fits 79 columns")
    func help() async throws {
        for row in CompletionRow.all(CommandTable.root) {
            let bench = try TestBench()
            let words = row.path + ["--help", "--all"]
            #expect(await bench.run(words.joined(separator: " ")) == .success)
            for option in row.options {
                #expect(bench.output.text.contains("--\(option.name)"))
            }
            for line in bench.output.lines {
                #expect(line.count <= 79 || line.hasPrefix("  takeup"), "\(line)")
            }
        }
    }
}
