import Foundation
import TakeupIngest
import TakeupModel
import TakeupService
import TakeupWatch

/// What the configuration says about each watched folder, and whether a daemon could begin with it.
struct WatchDiagnosis {
    /// One folder with every setting that holds for it, and where each comes from.
    struct Folder {
        let path: String
        let settings: [Setting]
        let rules: Int
    }

    let folders: [Folder]
    /// Checks of the folders and hooks.
    let checks: [DoctorCheck]

    /// Is nil when the configuration has no watched folder.
    ///
    /// - Parameters:
    ///   - settings: As they were read, with the configuration.
    ///   - invocation: Whose flags hold for the folders too.
    ///   - places: Where state is; nil when that is not known.
    ///   - context: Where relative paths start.
    init?(
        _ settings: Settings, _ invocation: Invocation, _ places: StatePlaces?,
        in context: CommandContext
    ) {
        guard settings.configuration?.folders.isEmpty == false else { return nil }
        let input = CommandInput(
            path: ["watch"], arguments: [], settings: settings, invocation: invocation)
        do throws(Failure) {
            let plan = try WatchPlan(input, in: context)
            if let places {
                try FolderTerritories(plan.requests, home: places.home, cache: places.cache)
                    .check()
            }
            let names = Set(WatchCommand.folderOptions.map(\.name))
            // Without arguments there is a request for each section, in its place.
            folders = zip(plan.requests, settings.configuration?.folders ?? []).map {
                request, section in
                let inside = settings.configuration?.inside(section)
                let all = (try? WatchPlan.settings(inside, input, in: context))?.all ?? []
                return Folder(
                    path: request.folder, settings: all.filter { names.contains($0.name) },
                    rules: request.policy.rules.rules.count)
            }
            let faults = plan.requests.flatMap(Self.faults)
            let check = DoctorCheck(
                subject: "watched folders", status: faults.isEmpty ? .good : .warning,
                finding: "\(folders.count) configured" + faults.map { ", \($0)" }.joined(),
                hint: faults.isEmpty ? nil : "make it, mount its disk, or give this user rights")
            checks = [check, Self.check(plan, in: context)].compactMap(\.self)
        } catch {
            folders = []
            let check = DoctorCheck(
                subject: "watched folders", status: .failure, finding: error.message,
                hint: error.hint)
            checks = [check]
        }
    }

    /// Whether hooks can tell anybody; nil without any.
    private static func check(_ plan: WatchPlan, in context: CommandContext) -> DoctorCheck? {
        guard !plan.hooks.isEmpty else { return nil }
        do throws(Failure) {
            try plan.checkHooks(context.environment)
            return DoctorCheck(
                subject: "hooks", status: .good, finding: "\(plan.hooks.count) can be used")
        } catch {
            return DoctorCheck(
                subject: "hooks", status: .failure, finding: error.message, hint: error.hint)
        }
    }

    /// What keeps a folder from being watched, or its outputs from being written, now.
    private static func faults(of request: WatchRequest) -> [String] {
        var faults: [String] = []
        if access(request.folder, F_OK) != 0 { faults.append("\(request.folder) is not there") }
        if let output = request.output, var root = try? OutputRoot(output, memory: nil),
            let reason = root.absence ?? root.refusal()?.reasonOfFolder
        {
            faults.append("\(output): \(reason)")
        }
        return faults
    }

    var json: JSONValue {
        .list(
            folders.map { folder in
                [
                    "folder": .text(folder.path), "rules": .integer(Int64(folder.rules)),
                    "settings": .list(folder.settings.map(\.json)),
                ]
            })
    }

    /// What differs from the defaults.
    var lines: [String] {
        folders.flatMap { folder in
            let rows = folder.settings.filter { $0.origin != .builtIn }.map {
                [$0.name, $0.values.joined(separator: ", ").escaped, "\($0.origin)".escaped]
            }
            let rules = folder.rules == 0 ? "" : ", \(folder.rules) rules"
            return ["\nWatched folder \(folder.path.escaped)\(rules)"]
                + TextTable.lines(rows, indent: "  ")
        }
    }
}

extension Setting {
    var json: JSONValue {
        [
            "name": .text(name), "value": .text(optional: values.last),
            "origin": .text("\(origin)"),
        ]
    }
}
