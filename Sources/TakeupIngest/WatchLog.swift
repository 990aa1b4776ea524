internal import Foundation
internal import TakeupFiles
package import TakeupTelemetry
package import TakeupWatch

/// Tells the log what watchers say.
package struct WatchLog {
    private let log: Log
    private let folder: String

    package init(_ log: Log, _ folder: String) {
        (self.log, self.folder) = (log, folder)
    }

    package func tell(_ note: WatchNote) {
        switch note {
        case .mode(let mode): say(.info, "watching, \(mode.words)")
        case .unavailable(let reason): say(.warning, "cannot be watched now: \(reason)")
        case .available: say(.info, "there again")
        case .scanned(let result, let seconds):
            log.record(
                .debug, "\(folder): scanned",
                [
                    LogField("files", result.files), LogField("folders", result.folders),
                    LogField("seconds", seconds),
                ])
        case .passedOver(let path, let reason): say(.debug, "\(path) is passed over: \(reason)")
        case .notEntered(let path, let reason):
            say(.warning, "\(path) is not looked into: \(reason)")
        case .unreadable(let path, let errno):
            let place = path.isEmpty ? "the folder itself" : path
            say(
                .warning,
                "\(place) cannot be read: \(String(cString: strerror(errno)));"
                    + " nothing is taken for gone")
        case .handed(let file):
            log.record(
                .info, "\(folder): \(file.path) is whole and queued as \(file.job ?? "")",
                [LogField("bytes", file.identity.bytes)])
        case .skipped(let file): say(.info, "\(file.path) is skipped: \(file.reason ?? "")")
        case .moved(let from, let to): say(.info, "\(from) is \(to) now; nothing is made anew")
        case .postponed(let path, let error):
            say(.warning, "\(path) cannot be taken yet: \(error.description(of: path))")
        }
    }

    /// Logs the error of a settings file in the folder.
    package func tell(settings error: WatchError) {
        say(.warning, "files wait, as \(error)")
    }

    package func tell(_ outcome: SourceOutcome, of action: SourceAction) {
        switch outcome {
        case .done(let place):
            say(.info, "\(action.path) \(action.kind.past)\(place.map { ": \($0)" } ?? "")")
        case .gone: say(.info, "\(action.path) is not there any more")
        case .changed:
            say(
                .warning,
                "\(action.path) is another file by now, or to be kept, and was left alone")
        }
    }

    private func say(_ level: LogLevel, _ text: String) {
        log.record(level, "\(folder): \(text)")
    }
}

extension SourceAction.Kind {
    /// For people.
    package var past: String {
        switch self {
        case .move: "moved"
        case .trash: "thrown away"
        case .delete: "deleted"
        case .replace: "replaced"
        case .setAside: "set aside"
        }
    }
}
