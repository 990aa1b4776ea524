import Foundation
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
    let check: DoctorCheck

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
                try WatchRequest.check(plan.requests, home: places.home, cache: places.cache)
            }
            folders = plan.requests.map { request in
                let all = request.treatment.input.settings.all
                let names = Set(WatchCommand.folderOptions.map(\.name))
                return Folder(
                    path: request.folder, settings: all.filter { names.contains($0.name) },
                    rules: request.treatment.rules.rules.count)
            }
            let missing = folders.map(\.path).filter { access($0, F_OK) != 0 }
            check = DoctorCheck(
                subject: "watched folders", status: missing.isEmpty ? .good : .warning,
                finding: "\(folders.count) configured"
                    + missing.map { ", \($0) is not there" }.joined(),
                hint: missing.isEmpty ? nil : "make it, or mount its disk")
        } catch {
            folders = []
            check = DoctorCheck(
                subject: "watched folders", status: .failure, finding: error.message,
                hint: error.hint)
        }
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
