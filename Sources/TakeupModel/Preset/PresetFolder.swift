internal import Foundation

/// A user's own presets: the files `NAME.json` of one folder, which need not be there.
public struct PresetFolder: Sendable, Equatable {
    /// Entries beyond this are not looked at.
    private static let most = 1_000

    public let path: String

    public init(path: String) { self.path = path }

    /// Finds a preset by the name of its file, which has to be its own name, too.
    ///
    /// - Returns: nil when the folder has no such file.
    /// - Throws: `PresetError.shadowed` for the name of a shipped preset or an alias, else what `load` throws.
    public func preset(named name: String) throws(PresetError) -> ExportPreset? {
        let file = file(name)
        guard ExportPreset.isName(name) else { return nil }
        // One that cannot be looked at is not a missing one.
        if access(file, F_OK) != 0, errno == ENOENT || errno == ENOTDIR { return nil }
        guard !ExportPreset.isShipped(name) else { throw .shadowed(name: name, path: file) }
        let preset = try ExportPreset.load(path: file)
        guard preset.name == name else {
            throw .invalid(
                path: file, key: "name",
                reason: "is \(QuotedText(preset.name)), but the file is called \(name).json")
        }
        return preset
    }

    /// All presets of the folder, by name, each with what is wrong with it.
    public func entries() -> [(name: String, preset: Result<ExportPreset, PresetError>)] {
        names().compactMap { name in
            do throws(PresetError) {
                return try preset(named: name).map { (name, .success($0)) }
            } catch {
                return (name, .failure(error))
            }
        }
    }

    /// Names of the files without their ending, sorted.
    public func names() -> [String] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        let names = files.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }
        return Array(names.filter(ExportPreset.isName).sorted().prefix(Self.most))
    }

    /// Where a preset of this name is, or would be.
    public func file(_ name: String) -> String { "\(path)/\(name).json" }
}

extension ExportPreset {
    /// Whether a name is a shipped preset's or one of AVFoundation's.
    static func isShipped(_ name: String) -> Bool {
        PresetAlias.targets[name] != nil || PresetAlias.unsupported[name] != nil
            || shipped.contains { $0.name == name }
    }
}
