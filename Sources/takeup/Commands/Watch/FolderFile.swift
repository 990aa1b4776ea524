import Foundation
import TakeupFiles
import TakeupIngest
import TakeupModel
import TakeupWatch

/// What a `.takeup-folder.json` in a watched folder, or below it, says about the files from there on.
///
/// Whoever may copy files there may write it: it names shipped presets alone, and nothing outside the folder.
struct FolderFile: Sendable {
    static let name = WatchRequest.settingsName
    static let mostBytes = 65_536
    /// Limit of the text of a fault: a hostile settings file cannot fill the log.
    private static let longestFault = 300

    /// What it may say.
    static let options = WatchCommand.folderOptions.filter { names.contains($0.name) }
    private static let names: Set<String> = [
        "preset", "set", "priority", "name", "after", "after-failure", "min-size", "only-smaller",
        "attributes", "expires", "retries", "on-truncated", "verify", "copy", "metadata",
        "strip-metadata", "size-limit", "start", "end", "duration",
    ]

    let path: String
    private let values: [String: [String]]
    private let rules: [WatchRule]
    private let skip: String?

    /// - Parameters:
    ///   - path: Absolute.
    ///   - bytes: Its content.
    /// - Throws: For what nobody understands, and for preset files; the message does not name the file.
    init(path: String, _ bytes: [UInt8]) throws(ConfigurationError) {
        let file = SettingsFile(path: path, kind: "folder's settings file", isNamed: false)
        let object = try file.object(Data(bytes))
        values = try file.values(of: object, for: Self.options, beside: [.rules, .skip, .schema])
        (self.path, rules, skip) = (path, object.rules, object.skip)
        let presets = (values["preset"] ?? []) + rules.compactMap(\.result.preset)
        for preset in presets where ExportPreset.isPath(preset) {
            throw ConfigurationError(
                message: "it names the preset file \(preset)",
                hint: "name a shipped preset: 'takeup presets list'")
        }
    }

    /// Reads an open folder's settings.
    ///
    /// - Parameters:
    ///   - path: Of the file, from the watched folder on. No symbolic link is followed.
    ///   - root: The watched folder.
    /// - Returns: nil when there is none.
    /// - Throws: `WatchError`.
    static func read(_ path: String, below root: String) throws(WatchError) -> FolderFile? {
        guard let bytes = try BoundedFile.bytes(at: path, below: root, most: mostBytes) else {
            return nil
        }
        let path = "\(root)/\(path)"
        do throws(ConfigurationError) {
            return try FolderFile(path: path, bytes)
        } catch {
            throw Self.refused(path, error.message, error.hint)
        }
    }

    /// What becomes of the files below its folder.
    ///
    /// - Parameters:
    ///   - input: The settings around the folder.
    ///   - outer: The rules around it.
    ///   - outerSkip: Why nothing is taken around it.
    ///   - context: Where relative paths start.
    /// - Returns: What holds around it, with what the file says in its place.
    /// - Throws: `WatchError.unreadable`.
    func inside(
        _ input: CommandInput, _ outer: [WatchRule], skip outerSkip: String?,
        in context: CommandContext
    ) throws(WatchError) -> FolderPolicy {
        do {
            let settings = try input.settings.overlaid(
                values, .configuration(path), options: Self.options)
            let inner = input.with(settings)
            let policy = try FolderPolicy(
                inner, rules + outer, skip: skip ?? outerSkip, in: context)
            try policy.check(hasOutput: inner.value("output") != nil)
            return policy
        } catch {
            let failure = Failure(of: error)
            throw Self.refused(path, failure.message, failure.hint)
        }
    }

    private static func refused(_ path: String, _ message: String, _ hint: String) -> WatchError {
        let isLong = message.count > longestFault
        let words = isLong ? "\(message.prefix(longestFault))…" : message
        return .unreadable(setting: path, reason: "\(words); \(hint)")
    }
}
