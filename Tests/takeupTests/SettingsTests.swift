import TakeupModel
import Testing

@testable import TakeupDaemon
@testable import takeup

@Suite("Settings")
struct SettingsTests {
    private static let option = OptionSpecification(
        name: "preset", valueName: "NAME", environment: "TAKEUP_PRESET", defaultValue: "medium",
        help: "")

    /// What was given where, and what follows from it.
    struct Row: Sendable {
        let flag: String?
        let environment: String?
        let configured: String?
        let value: String
        let origin: String
    }

    @Test(
        "flag before environment before configuration before default",
        arguments: [
            Row(flag: "f", environment: "e", configured: "c", value: "f", origin: "flag"),
            Row(
                flag: nil, environment: "e", configured: "c", value: "e",
                origin: "environment TAKEUP_PRESET"),
            Row(flag: nil, environment: nil, configured: "c", value: "c", origin: "config CONFIG"),
            Row(flag: nil, environment: "", configured: "c", value: "c", origin: "config CONFIG"),
            Row(flag: nil, environment: nil, configured: nil, value: "medium", origin: "default"),
            Row(flag: "f", environment: nil, configured: "c", value: "f", origin: "flag"),
        ])
    func precedence(row: Row) throws {
        let bench = try TestBench()
        var configuration: Configuration?
        if let configured = row.configured {
            let path = try bench.write("{\"preset\": \"\(configured)\"}", to: "config.json")
            configuration = try Configuration(path: path, reading: [Self.option])
        }
        let settings = try Settings(
            options: [Self.option], flags: row.flag.map { ["preset": [$0]] } ?? [:],
            environment: row.environment.map { ["TAKEUP_PRESET": $0] } ?? [:],
            configuration: configuration)
        let setting = try #require(settings.setting("preset"))
        let origin = "\(setting.origin)"
        #expect(setting.values == [row.value])
        #expect(origin == row.origin.replacing("CONFIG", with: configuration?.path ?? ""))
    }

    @Test(
        "a wrong configuration is refused with 78",
        arguments: [
            (#"{"presett": "low"}"#, "did you mean 'preset'?"),
            (#"{"output": "x.mp4"}"#, "unknown key"), (#"{"config": "x"}"#, "unknown key"),
            (#"{"preset": true}"#, "has true for 'preset'"),
            (#"{"preset": ["low"]}"#, "has a list for 'preset'"),
            (#"{"preset": null}"#, "has null for 'preset'"), ("[]", "not a configuration"),
            ("{", "not a configuration"), ("", "not a configuration"),
            (#"{"overwrite": "relpace"}"#, "did you mean 'replace'?"),
            (#"{"size-limit": "huge"}"#, "cannot be 'huge'"),
        ])
    func wrongConfiguration(text: String, complaint: String) async throws {
        let bench = try TestBench()
        try bench.write(text, to: "c.json")
        let code = await bench.run("export a.mov -o b.mp4 --config c.json")
        #expect(code == .configuration)
        #expect(bench.diagnostics.text.contains(complaint))
        #expect(bench.output.text.isEmpty)
    }

    @Test("a file that the configuration names starts at the configuration's folder")
    func placedFile() throws {
        let bench = try TestBench()
        let path = try bench.write(#"{"metrics-file": "m/takeup.prom"}"#, to: "config.json")
        let configuration = try Configuration(
            path: path, reading: DaemonOptions.specifications)
        #expect(configuration.values["metrics-file"]?.texts == ["\(bench.folder)/m/takeup.prom"])
    }

    @Test("a configuration that is named has to exist; the default one need not")
    func missingConfiguration() async throws {
        let bench = try TestBench()
        #expect(await bench.run("presets list --config none.json") == .configuration)
        let environment = ["XDG_CONFIG_HOME": bench.folder]
        let code = await Program.run(
            ["presets", "list"], in: bench.context(environment: environment))
        #expect(code == .success)
        // One that cannot be looked at is no missing one.
        let long = "\(bench.folder)/\(String(repeating: "x", count: 300))"
        let untold = await Program.run(
            ["presets", "list"], in: bench.context(environment: ["XDG_CONFIG_HOME": long]))
        #expect(untold == .configuration)
    }

    @Test("doctor shows where each setting comes from")
    func origins() async throws {
        let bench = try TestBench()
        try bench.write(#"{"copy": "never", "size-limit": 25000000}"#, to: "c.json")
        let environment = ["TAKEUP_CONFIG": "c.json", "TAKEUP_PRESET": "low"]
        _ = await Program.run(["doctor", "--json"], in: bench.context(environment: environment))
        let text = bench.output.text
        #expect(
            text.contains(
                #"{"name":"preset","value":"low","origin":"environment TAKEUP_PRESET"}"#))
        #expect(
            text.contains(
                #"{"name":"copy","value":"never","origin":"config \#(bench.folder)/c.json"}"#))
        #expect(text.contains(#""value":"25000000","origin":"config"#))
        #expect(text.contains(#"{"name":"verify","value":"quick","origin":"default"}"#))
        let drain =
            #"{"name":"drain","value":"1h (batch), 60s (watch, serve, worker)","origin":"default"}"#
        #expect(text.contains(drain))
    }
}
