import Foundation
import TakeupCache
import TakeupDaemon
import TakeupFiles
import TakeupJobs
import TakeupModel
import TakeupService
import TakeupTelemetry

/// What a command may touch; a test brings its own.
struct CommandContext: Sendable {
    var output: any TextSink
    var diagnostics: any TextSink
    /// Reads standard input to its end, or as far as a list may go.
    var readInput: @Sendable () async throws(Failure) -> [UInt8] = {
        () async throws(Failure) in try await StandardInput.read()
    }
    var environment: [String: String]
    /// The folder that relative paths start at; empty for the process's own.
    var directory = ""
    var terminal = TerminalFacts()
    /// Columns of the terminal, asked anew for every line.
    var columns: @Sendable () -> Int = { 80 }
    var rows: @Sendable () -> Int = { 24 }
    /// Seconds of a clock that never goes back, and stands still while the machine sleeps.
    var now: @Sendable () -> Double
    /// Waits for so many seconds; ends early when its task is cancelled.
    var pause: @Sendable (Double) async -> Void = { seconds in
        do { try await Task.sleep(for: .seconds(seconds)) } catch { return }
    }
    /// Seconds since 1970, for ages and expiry.
    var wallClock: @Sendable () -> Double = { Date().timeIntervalSince1970 }
    var interrupts: Interrupts
    var engine: Engine
    /// Opens the queue, and makes it when there is none.
    var openQueue: @Sendable (StatePlaces) throws(Failure) -> QueueAccess = {
        places throws(Failure) in try QueueAccess(at: places)
    }
    /// Opens the cache and its manifest, and makes them when there are none.
    var openCache: @Sendable (StatePlaces, CacheLimits) throws(Failure) -> CacheAccess = {
        places, limits throws(Failure) in
        try CacheAccess(at: places, limits: limits)
    }
    /// Opens the queue and the cache for a worker in this process.
    var openWorker: @Sendable (StatePlaces, WorkerOptions, Log) throws(Failure) -> WorkerAccess = {
        places, options, log throws(Failure) in
        try WorkerAccess(at: places, options, log: log)
    }
    /// Makes the output stop waiting for a reader that has stopped reading.
    var hurry: @Sendable () -> Void = {}

    /// The process's own streams, environment and clock.
    static func live() -> CommandContext {
        let environment = ProcessInfo.processInfo.environment
        let start = SuspendingClock.now
        return CommandContext(
            output: StandardStream.output, diagnostics: StandardStream.diagnostics,
            environment: environment, terminal: .current(environment),
            columns: { TerminalFacts.columns() }, rows: { TerminalFacts.rows() },
            now: { (SuspendingClock.now - start) / .seconds(1) },
            interrupts: Interrupts(), engine: .live(), hurry: { StandardStream.output.hurry() })
    }

    /// The path to open for a path that was given; an address as it is.
    func resolve(_ path: String) -> String {
        if SourceText.isAddress(path) { return path }
        return Folder.isAbsolute(path) || directory.isEmpty ? path : "\(directory)/\(path)"
    }

    /// A preset's name as it is, a preset file's path to open.
    func presetPlace(_ nameOrPath: String) -> String {
        ExportPreset.isPath(nameOrPath) ? resolve(nameOrPath) : nameOrPath
    }

    /// The user's own presets: `presets` beside the configuration; nil where no place for that is known.
    var presetFolder: PresetFolder? {
        Settings.defaultPath(environment).map {
            PresetFolder(path: String($0.dropLast("config.json".count)) + "presets")
        }
    }

    /// The preset of a name, an alias or a file.
    func preset(_ nameOrPath: String) throws(Failure) -> ExportPreset {
        do throws(PresetError) {
            return try ExportPreset.resolve(presetPlace(nameOrPath), in: presetFolder)
        } catch {
            throw Failure(error)
        }
    }

    /// The path from the root; symbolic links stay, and so do addresses.
    func absolute(_ path: String) -> String {
        let resolved = resolve(path)
        guard !Folder.isAbsolute(resolved), !SourceText.isAddress(path) else { return resolved }
        return "\(FileManager.default.currentDirectoryPath)/\(resolved)"
    }

    /// Writes one line to standard output.
    func print(_ line: String) {
        output.write(line + "\n")
    }

    func print(_ value: JSONValue) {
        output.write("\(value)\n")
    }

    /// The same with what it says to people going through `sink`.
    func writing(to sink: any TextSink) -> CommandContext {
        var context = self
        context.diagnostics = sink
        return context
    }

    func palette(_ color: String, isOutput: Bool) -> Palette {
        Palette(
            mode: color,
            isTerminal: isOutput ? terminal.outputIsTerminal : terminal.diagnosticsIsTerminal,
            environment: environment)
    }
}
