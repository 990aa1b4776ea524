import Foundation
import TakeupFiles
import TakeupIngest
import TakeupModel
import TakeupService
import TakeupWatch

/// Has files made again that a watched folder is done with.
struct WatchReprocess: Sendable {
    private let input: CommandInput
    private let places: StatePlaces
    private let style: OutputStyle

    init(_ input: CommandInput, _ places: StatePlaces, _ style: OutputStyle) {
        (self.input, self.places, self.style) = (input, places, style)
    }

    /// Forgets what a folder for outputs was when it was seen last: whatever is there counts from the next start on.
    func accept(_ path: String, in context: CommandContext) throws(Failure) -> ExitCode {
        do throws(WatchError) {
            let ledger = try places.openLedger(now: context.wallClock)
            try ledger.forgetOutput(Folder.resolved(context.absolute(path)))
            Console(context, style).note("taken as it is by the next start or reload")
            return .success
        } catch {
            throw Failure(error)
        }
    }

    /// Notes what is asked for, in one go for the daemon that runs now or next.
    ///
    /// - Parameters:
    ///   - paths: Files, and folders for every file that is known in them.
    ///   - context: Where relative paths start.
    /// - Returns: What the program ends with.
    /// - Throws: With 64 for one of which nothing is known, and with 66 when it is not there either.
    func ask(for paths: [String], in context: CommandContext) throws(Failure) -> ExitCode {
        do {
            guard places.hasLocalDatabase else {
                throw Failure.watch(
                    .inputMissing,
                    "there is no database \(places.localDatabase): nothing was watched yet",
                    hint: "name the --home or --database of the daemon")
            }
            let ledger = try places.openLedger(now: context.wallClock)
            let files = try WatchedPath.found(paths.map(context.absolute), ledger)
            for file in files { try ledger.askAgain(file.path, in: file.folder) }
            Console(context, style).note(
                "\(files.count) \(files.count == 1 ? "file is" : "files are") asked for again")
            return .success
        } catch {
            throw Failure(of: error)
        }
    }
}
