import Foundation
public import TakeupModel

extension CompositionTemplate {
    /// The templates of `presets/templates/`, embedded in the binary at build time.
    public static let shipped: [CompositionTemplate] = [PackageResources.stories_json].map {
        do {
            return try decode(Data($0), from: "a shipped template")
        } catch {
            preconditionFailure("\(error)")
        }
    }

    /// Finds a template by its name, or reads a file where the text has a `/` or ends in `.json`.
    ///
    /// - Parameters:
    ///   - nameOrPath: As a user gives it.
    ///   - folder: The user's own presets, whose folder `templates` has templates by name; nil for none.
    /// - Returns: The template as it is now.
    /// - Throws: `Failure` with 64 for an unknown name, and with 66, 77 or 78 for a file.
    public static func resolve(
        _ nameOrPath: String, in folder: PresetFolder? = nil
    ) throws(Failure) -> CompositionTemplate {
        if ExportPreset.isPath(nameOrPath) { return try load(path: nameOrPath) }
        if let found = shipped.first(where: { $0.name == nameOrPath }) { return found }
        let names = names(in: folder)
        if let own = own(folder), names.contains(nameOrPath) {
            return try load(path: own.file(nameOrPath))
        }
        let nearest = Spelling.nearest(to: nameOrPath, among: names)
        throw Failure(
            exitCode: .usage, code: "templateUnknown", stage: "plan",
            message: "there is no template '\(nameOrPath)'",
            hint: nearest.map { "did you mean '\($0)'?" }
                ?? "there are: \(names.joined(separator: ", "))")
    }

    /// Lists the names of all templates, the shipped ones first.
    ///
    /// - Parameter folder: The user's own presets; nil for none.
    /// - Returns: Names that `resolve` takes.
    public static func names(in folder: PresetFolder?) -> [String] {
        let known = shipped.map(\.name)
        return known + (own(folder)?.names() ?? []).filter { !known.contains($0) }
    }

    private static func own(_ folder: PresetFolder?) -> PresetFolder? {
        folder.map { PresetFolder(path: "\($0.path)/templates") }
    }
}
