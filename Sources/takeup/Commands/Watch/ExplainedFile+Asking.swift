import TakeupIngest
import TakeupModel
import TakeupService
import TakeupWatch

extension ExplainedFile {
    /// Finds the watched folder of a file, and the settings that hold in it.
    ///
    /// - Parameters:
    ///   - path: Absolute.
    ///   - input: The command that asks, which may name the folder and its options.
    ///   - ledger: nil when nothing was ever watched.
    ///   - context: Where relative paths start.
    /// - Throws: `Failure` with 64 for what is no file of a watched folder, and with 66 when it is not there either; `WatchError`.
    init(
        _ path: String, _ input: CommandInput, _ ledger: WatchLedger?,
        in context: CommandContext
    ) throws {
        let asked = try Self.plan(input, in: context)?.requests.first {
            WatchedPath(path, among: [$0.folder]) != nil
        }
        let folders = try asked.map { [$0.folder] } ?? ledger?.folders() ?? []
        guard let place = WatchedPath(path, among: folders) else {
            throw Failure.notWatched(
                path, folders,
                advice: "; for a file of another folder name that too, with its options: "
                    + "'takeup watch DIR --explain PATH'")
        }
        guard !place.path.isEmpty else {
            throw Failure.watch(
                .usage, "\(path) is the watched folder itself", hint: "name a file in it")
        }
        let note = try ledger.flatMap { try FolderNote(of: place.folder, in: $0) }
        if let asked, !Self.holds(note, input, in: context) {
            self.init(place, asked, .asked)
        } else {
            let request = try (note ?? FolderNote()).request(place.folder, input, in: context)
            self.init(place, request, note == nil ? .unknown : .noted)
        }
    }

    /// Whether a note says more than the command that asks.
    private static func holds(
        _ note: FolderNote?, _ input: CommandInput, in context: CommandContext
    ) -> Bool {
        guard let note, input.arguments.isEmpty else { return false }
        return note.configuration == FolderNote.configuration(input, in: context)
    }

    /// nil when no folder is named and the configuration has none.
    private static func plan(
        _ input: CommandInput, in context: CommandContext
    ) throws(Failure) -> WatchPlan? {
        let isNamed =
            !input.arguments.isEmpty
            || !(input.settings.configuration?.folders.isEmpty ?? true)
        return isNamed ? try WatchPlan(input, in: context) : nil
    }
}
