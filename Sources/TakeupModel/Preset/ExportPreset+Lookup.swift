public import Foundation

extension ExportPreset {
    /// The most bytes that a preset file may have.
    public static let longestFile = 65_536

    /// The shipped presets, smallest output first within each family.
    public static let shipped: [ExportPreset] = ShippedPresets.decoded()

    /// Finds a shipped preset by its name or by AVFoundation's constant for it.
    ///
    /// - Throws: `PresetError.unknown`, or `.unsupported` for a constant that has no counterpart here.
    public static func named(_ nameOrAlias: String) throws(PresetError) -> ExportPreset {
        if let reason = PresetAlias.unsupported[nameOrAlias] {
            throw .unsupported(name: nameOrAlias, reason: reason)
        }
        let name = PresetAlias.targets[nameOrAlias] ?? nameOrAlias
        if let preset = shipped.first(where: { $0.name == name }) { return preset }
        let names = shipped.map(\.name) + PresetAlias.targets.keys.sorted()
        throw .unknown(
            name: nameOrAlias, suggestions: NearestNames(of: nameOrAlias, among: names).names)
    }

    /// Reads a user's preset file.
    ///
    /// - Throws: `PresetError.unreadable` for anything but a regular file of at most `longestFile`
    ///   bytes, `.invalid` when it holds no preset.
    public static func load(path: String) throws(PresetError) -> ExportPreset {
        try decode(try PresetFile.read(path), from: path)
    }

    /// Whether a text names a preset's file: it has a `/` or ends in `.json`.
    ///
    /// Looks at bytes: in Swift, a slash and a following combining mark are one character.
    public static func isPath(_ nameOrPath: String) -> Bool {
        nameOrPath.utf8.contains(UInt8(ascii: "/"))
            || nameOrPath.utf8.suffix(5).elementsEqual(".json".utf8)
    }

    /// Finds a preset by name or alias, or reads a file when the text has a `/` or ends in `.json`.
    ///
    /// - Parameters:
    ///   - nameOrPath: As a user gives it.
    ///   - folder: The user's own presets; nil where only shipped ones count.
    /// - Returns: The preset as it is now.
    /// - Throws: `PresetError`; `.shadowed` for a name that a shipped preset has, too.
    public static func resolve(
        _ nameOrPath: String, in folder: PresetFolder? = nil
    ) throws(PresetError) -> ExportPreset {
        if isPath(nameOrPath) { return try load(path: nameOrPath) }
        if let own = try folder?.preset(named: nameOrPath) { return own }
        do throws(PresetError) {
            return try named(nameOrPath)
        } catch {
            guard case .unknown(let name, let suggestions) = error, let folder else { throw error }
            let own = NearestNames(of: name, among: folder.names()).names
            throw .unknown(name: name, suggestions: own + suggestions)
        }
    }

    /// Decodes the bytes of a preset file.
    ///
    /// - Parameters:
    ///   - json: At most `longestFile` bytes, from anywhere.
    ///   - path: What an error calls them.
    /// - Returns: The preset, every number of it in range.
    /// - Throws: `PresetError.invalid` with the path of the key at fault.
    public static func decode(_ json: Data, from path: String) throws(PresetError) -> ExportPreset {
        guard json.count <= longestFile else {
            throw .invalid(path: path, key: "", reason: "is longer than \(longestFile) bytes")
        }
        do {
            return try JSONDecoder().decode(ExportPreset.self, from: json)
        } catch let error as DecodingError {
            throw PresetError(error, in: json, path: path)
        } catch {
            throw .invalid(path: path, key: "", reason: "is not valid JSON")
        }
    }
}
