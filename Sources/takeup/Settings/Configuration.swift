import Foundation
import TakeupFiles
import TakeupModel
import TakeupService
import TakeupWatch

/// The configuration file: values for options by their long names, and the folders that are watched.
struct Configuration: Sendable, Equatable {
    /// A value and the place in the file that it comes from.
    struct Value: Sendable, Equatable {
        let texts: [String]
        /// For people.
        let place: String
    }

    /// One folder that is watched.
    struct Folder: Sendable, Equatable {
        /// As the file has it, from the file's own folder on.
        let path: String
        let values: [String: Value]
        let rules: [WatchRule]
    }

    let path: String
    private(set) var values: [String: Value]
    /// What holds for every watched folder that does not say otherwise.
    private(set) var watchValues: [String: Value] = [:]
    private(set) var folders: [Folder] = []
    /// Rules that apply after a folder's own rules.
    private(set) var rules: [WatchRule] = []
    /// The hooks that get the events about files.
    private(set) var hooks: [Hook] = []

    /// Reads a file of the form `{"preset": "medium", "strip-metadata": true, "watch": {"folders": […]}}`.
    ///
    /// - Parameters:
    ///   - path: Absolute, or from the current folder on.
    ///   - options: All there are; those that are settings may stand in the file.
    ///   - watchOptions: What a watched folder may say.
    /// - Throws: For a file that cannot be read or says what nobody understands.
    init(
        path: String, reading options: [OptionSpecification],
        watching watchOptions: [OptionSpecification] = WatchCommand.folderOptions
    ) throws(ConfigurationError) {
        let file = SettingsFile(path: path, kind: "configuration file")
        let whole = try file.object(try Self.bytes(at: path))
        self.path = path
        let texts = try file.values(
            of: whole, for: options.filter(\.isConfigurable), beside: [.watch, .schema])
        values = texts.mapValues { Value(texts: $0, place: path) }
        guard let watch = whole.watch else { return }
        let place = "\(path), watch"
        watchValues = try file.values(
            of: watch, for: watchOptions, beside: [.folders, .rules, .hooks]
        ).mapValues { Value(texts: $0, place: place) }
        rules = Self.rules(watch, file)
        hooks = try Self.hooks(watch, file)
        for folder in watch.folders {
            folders.append(try Self.folder(folder, file, watchOptions))
        }
    }

    private static func folder(
        _ object: SettingsObject, _ file: SettingsFile, _ options: [OptionSpecification]
    ) throws(ConfigurationError) -> Folder {
        let texts = try file.values(of: object, for: options, beside: [.path, .rules])
        guard let path = object.path, !path.isEmpty else {
            throw ConfigurationError(
                message: "\(file.path): a watched folder has no path",
                hint: #"write {"path": "/srv/inbox", "output": "/srv/outbox"}"#)
        }
        let place = "\(file.path), watch folder \(path)"
        return Folder(
            path: file.place(path, of: .directory),
            values: texts.mapValues { Value(texts: $0, place: place) },
            rules: rules(object, file))
    }

    private static func hooks(
        _ object: SettingsObject, _ file: SettingsFile
    ) throws(ConfigurationError) -> [Hook] {
        let folder = TakeupFiles.Folder.containing(file.path)
        do throws(WatchError) {
            var hooks: [Hook] = []
            for hook in object.hooks { hooks.append(try hook.placed(in: folder)) }
            try Hook.check(hooks)
            return hooks
        } catch {
            throw ConfigurationError(
                message: "\(file.path): \(Failure(error).message)",
                hint: "'man takeup-config' has what a hook may say")
        }
    }

    /// The rules of an object, their preset files named from the file's own folder.
    private static func rules(
        _ object: SettingsObject, _ file: SettingsFile
    ) -> [WatchRule] {
        object.rules.map { rule in
            var rule = rule
            rule.result.preset = rule.result.preset.map { file.place($0, of: .preset) }
            return rule
        }
    }

    /// The same file as a watched folder sees it: its own values before those for all folders before the rest.
    func inside(_ folder: Folder?) -> Configuration {
        var inner = self
        inner.values.merge(watchValues) { $1 }
        if let folder {
            inner.values.merge(folder.values) { $1 }
            inner.rules = folder.rules + rules
        }
        return inner
    }

    private static func bytes(at path: String) throws(ConfigurationError) -> Data {
        do {
            let handle = try FileHandle(forReadingFrom: URL(filePath: path))
            defer { try? handle.close() }
            let bytes = try handle.read(upToCount: SettingsFile.mostBytes + 1) ?? Data()
            guard bytes.count <= SettingsFile.mostBytes else {
                throw unreadable(path, "it has more than \(SettingsFile.mostBytes) bytes")
            }
            return bytes
        } catch let error as ConfigurationError {
            throw error
        } catch {
            let code = ((error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError)?.code
            throw unreadable(
                path, code.map { String(cString: strerror(Int32($0))) } ?? "\(error)")
        }
    }

    private static func unreadable(_ path: String, _ reason: String) -> ConfigurationError {
        ConfigurationError(
            message: "cannot read the configuration file \(path): \(reason)",
            hint: "check --config, TAKEUP_CONFIG and the file's permissions")
    }
}
