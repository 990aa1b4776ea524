import Foundation
import TakeupCache
import TakeupMediaClient
import TakeupModel
import TakeupJobs
import TakeupService

/// Says what on this machine would make exports fail, and where each setting comes from.
struct DoctorCommand: Command {
    static let specification = CommandSpecification(
        name: "doctor",
        summary: "Say what on this machine would make exports fail",
        details: "Ends with 78 when something would. Also shows each setting and its origin.",
        options: StateOptions.specifications + CacheLimitOptions.specifications,
        examples: [.init(line: "takeup doctor --json", effect: "the same, for scripts")],
        diagnosesConfiguration: true,
        make: { input throws(UsageError) in DoctorCommand(input, facts: LinuxFacts()) })

    let style: OutputStyle
    private let invocation: Invocation
    private let facts: any SystemFacts

    init(_ input: CommandInput, facts: any SystemFacts) {
        style = OutputStyle(input)
        invocation = input.invocation
        self.facts = facts
    }

    func run(in context: CommandContext) async throws(Failure) -> ExitCode {
        let folder =
            context.directory.isEmpty
            ? FileManager.default.currentDirectoryPath : context.directory
        let temporary = context.environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 }
        var checks = await mediaChecks(in: context)
        checks += Diagnosis(
            facts: facts, folder: folder, temporaryFolder: temporary ?? "/tmp"
        ).checks()
        let (settings, found, watched) = configuration(in: context)
        checks += found + (watched?.checks ?? [])
        let isHealthy = !checks.contains { $0.status == .failure }
        if style.isJSON {
            context.print(
                [
                    "version": .text(CommandTable.version), "healthy": .flag(isHealthy),
                    "checks": .list(checks.map(\.json)),
                    "settings": .list(settings.map(\.json)),
                    "watch": watched?.json ?? .list([]),
                ])
        } else {
            say(checks, settings, in: context)
            if !style.isQuiet { watched?.lines.forEach(context.print) }
        }
        return isHealthy ? .success : .configuration
    }

    /// Asks the process that works on media, which is of this version or is refused, what its libraries have.
    private func mediaChecks(in context: CommandContext) async -> [DoctorCheck] {
        do throws(ExportError) {
            let found = try await context.engine.inventory(
                FFmpegInventory.encoders(), FFmpegInventory.filterNames)
            let program = DoctorCheck(
                subject: "media program", status: .good,
                finding: "\(MediaProgram.path) \(ProgramVersion.current)")
            return [program] + FFmpegInventory(found: found).checks()
        } catch {
            let failure = Failure(error)
            return [
                DoctorCheck(
                    subject: "media program", status: .failure, finding: failure.message,
                    hint: failure.advice)
            ]
        }
    }

    private func configuration(
        in context: CommandContext
    ) -> ([Setting], [DoctorCheck], WatchDiagnosis?) {
        do {
            let settings = try Settings.load(
                options: CommandTable.settings, invocation: invocation, context: context)
            if let name = settings.value("preset") {
                _ = try ExportPreset.resolve(context.presetPlace(name), in: context.presetFolder)
            }
            let finding = "\(settings.all.filter { $0.origin != .builtIn }.count) settings changed"
            let check = DoctorCheck(subject: "configuration", status: .good, finding: finding)
            let (places, state) = state(settings, in: context)
            // Of a server that answers; one that does not has been told of already.
            let server = places.flatMap { places in
                places.database.path == nil && state.status == .good
                    ? Self.server(places) : nil
            }
            let bucket = places.flatMap(Self.bucket).map { [$0] } ?? []
            let watched = WatchDiagnosis(settings, invocation, places, in: context)
            return (
                settings.all.map { Self.placed($0, places) },
                [check, state] + (server ?? []) + bucket, watched
            )
        } catch let error as PresetError {
            return ([], [Self.broken(Failure(error))], nil)
        } catch let error as ConfigurationError {
            return ([], [Self.broken(Failure(error))], nil)
        } catch {
            return ([], [Self.broken(.unexpected(error))], nil)
        }
    }

    private static func server(_ places: StatePlaces) -> [DoctorCheck] {
        do throws(Failure) {
            return try DatabaseCheck.all(of: places.database).map(DoctorCheck.init)
        } catch {
            return [fault(error)]
        }
    }

    /// Where the queue and the cache are; exports alone do without.
    private func state(
        _ settings: Settings, in context: CommandContext
    ) -> (StatePlaces?, DoctorCheck) {
        // Nobody who only exports has to have a place for state.
        let options = ["home", "cache", "database", "objects"]
        let isGiven = options.contains { settings.value($0) != nil }
        let status: DoctorCheck.Status = isGiven ? .failure : .warning
        do {
            let places = try StateOptions(settings.value).places(in: context)
            return (places, unusable(places, status) ?? database(places))
        } catch {
            return (
                nil,
                DoctorCheck(
                    subject: "state", status: status, finding: error.message, hint: error.advice)
            )
        }
    }

    /// A folder of the state that cannot be made or written, which a batch would find out later.
    private func unusable(
        _ places: StatePlaces, _ status: DoctorCheck.Status
    ) -> DoctorCheck? {
        let folders = [
            places.home, Self.parent(places.localDatabase), places.cache,
            places.objectsFolder ?? places.cache,
        ]
        for place in folders {
            var known = place
            while !facts.isThere(known), known != "/" { known = Self.parent(known) }
            guard !facts.isWritable(known) else { continue }
            return DoctorCheck(
                subject: "state", status: status,
                finding: "\(place) cannot be used: \(known) is no folder that you may write to",
                hint: "name another one with --home, --cache or --database, or mend its rights")
        }
        return nil
    }

    private static func parent(_ path: String) -> String {
        let parent = path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)
        return parent.isEmpty ? "/" : String(parent)
    }

    /// Opens a database that is there; makes none.
    private func database(_ places: StatePlaces) -> DoctorCheck {
        let finding = "\(places.database.name), \(places.settings["objects"] ?? places.cache)"
        do throws(JobStoreError) {
            guard places.database.path.map(facts.isThere) ?? true,
                let counts = try places.existingStore()?.counts()
            else {
                return DoctorCheck(
                    subject: "state", status: .good, finding: "\(finding) (not made yet)")
            }
            let live = counts.filter { !$0.key.isTerminal }.values.reduce(0, +)
            return cacheFault(places)
                ?? DoctorCheck(
                    subject: "state", status: .good, finding: "\(finding), \(live) jobs to do")
        } catch {
            return Self.fault(Failure(error))
        }
    }

    /// Why the database cannot use the cache: it is another one's, or not the one with its results.
    private func cacheFault(_ places: StatePlaces) -> DoctorCheck? {
        // A database that no worker has used yet has no results to lose.
        guard let manifest = places.existingManifest() else { return nil }
        do throws(CacheError) {
            try places.checkObjects(for: manifest)
            return nil
        } catch {
            return Self.fault(Failure(error))
        }
    }

    /// A bucket is slow, or has another clock, long before it fails.
    private static func bucket(_ places: StatePlaces) -> DoctorCheck? {
        do throws(Failure) {
            guard let found = try places.bucketHealth() else { return nil }
            let (trip, skew) = (found.roundTripSeconds, found.skewSeconds ?? 0)
            let isSlow = trip > slowTripSeconds
            let isSkewed = abs(skew) > mostSkewSeconds
            return DoctorCheck(
                subject: "objects", status: isSlow || isSkewed ? .warning : .good,
                finding: "\(found.name): listed, written, read and deleted;"
                    + " round trip \(Int(trip * 1000)) ms, clock \(skew) s apart",
                hint: isSkewed
                    ? "set the clocks by NTP: servers refuse requests that are 15 minutes apart"
                    : isSlow ? "use a server that is nearer, or work in its region" : nil)
        } catch {
            return DoctorCheck(
                subject: "objects", status: .failure, finding: error.message, hint: error.advice)
        }
    }

    /// A round trip, in seconds, that makes many small requests slow.
    private static let slowTripSeconds = 0.5
    /// A difference of clocks, in seconds, that is a third of what servers accept.
    private static let mostSkewSeconds: Int64 = 300

    private static func fault(_ failure: Failure) -> DoctorCheck {
        DoctorCheck(
            subject: "state", status: .failure, finding: failure.message, hint: failure.advice)
    }

    /// A setting that nobody made, with what holds then.
    private static func placed(_ setting: Setting, _ places: StatePlaces?) -> Setting {
        var values = setting.values
        if setting.origin == .builtIn, let defaults = CommandTable.differingDefaults[setting.name] {
            values = [defaults]
        } else if values.isEmpty, let place = places?.settings[setting.name] {
            values = [place]
        }
        // An address of a server may hold a password.
        if setting.name == "database", !values.isEmpty {
            values = [places?.settings["database"] ?? "not usable"]
        }
        return Setting(name: setting.name, values: values, origin: setting.origin)
    }

    private static func broken(_ failure: Failure) -> DoctorCheck {
        DoctorCheck(
            subject: "configuration", status: .failure, finding: failure.message,
            hint: failure.advice)
    }

    private func say(_ checks: [DoctorCheck], _ settings: [Setting], in context: CommandContext) {
        let palette = context.palette(style.color, isOutput: true)
        let width = checks.map(\.subject.count).max() ?? 0
        for check in checks where !style.isQuiet || check.status != .good {
            let color: Palette.Color =
                switch check.status {
                case .good: .green
                case .warning: .yellow
                case .failure: .red
                }
            let status = palette.paint(TextTable.padded(check.status.rawValue, to: 4), color)
            let subject = TextTable.padded(check.subject.escaped, to: width)
            context.print("\(status)  \(subject)  \(check.finding.escaped)")
            if let hint = check.hint { context.print("      \(hint.escaped)") }
        }
        guard !style.isQuiet, !settings.isEmpty else { return }
        context.print("\nSettings")
        let rows = settings.map {
            [$0.name, ($0.values.last ?? "-").escaped, "\($0.origin)".escaped]
        }
        TextTable.lines(rows, indent: "  ").forEach(context.print)
    }
}
