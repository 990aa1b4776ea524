public import Foundation

extension CompositionTemplate {
    /// Reads a template's file.
    ///
    /// - Throws: `Failure` with 66 or 77 for a file that cannot be read, and with 78 for one that holds no template.
    public static func load(path: String) throws(Failure) -> CompositionTemplate {
        let bytes: Data
        do {
            bytes = try PresetFile.read(path)
        } catch {
            throw failure(error, path)
        }
        return try decode(bytes, from: path)
    }

    /// Decodes the bytes of a template's file.
    ///
    /// - Parameters:
    ///   - json: At most `ExportPreset.longestFile` bytes, from anywhere.
    ///   - path: What an error calls them.
    /// - Returns: The template, every number of it in range.
    /// - Throws: `Failure` with 78, which names the key at fault.
    public static func decode(_ json: Data, from path: String) throws(Failure) -> Self {
        do {
            return try JSONDecoder().decode(CompositionTemplate.self, from: json)
        } catch let error as DecodingError {
            throw failure(PresetError(error, in: json, path: path), path)
        } catch {
            throw failure(.invalid(path: path, key: "", reason: "is not valid JSON"), path)
        }
    }

    private static func failure(_ error: PresetError, _ path: String) -> Failure {
        switch error {
        case .notPermitted:
            Failure(
                exitCode: .notPermitted, code: "templateNotPermitted", stage: "plan",
                message: "may not read the template \(path)",
                hint: "give this user the right to read it")
        case .unreadable(_, let reason):
            Failure(
                exitCode: .inputMissing, code: "templateUnreadable", stage: "plan",
                message: "cannot read the template \(path): \(reason)", hint: "check the path")
        case .invalid(_, let key, let reason):
            Failure(
                exitCode: .configuration, code: "templateInvalid", stage: "plan",
                message:
                    "\(path) is no template: \(key.isEmpty ? "the file" : "'\(key)'") \(reason)",
                hint: "compare it with a shipped template")
        case .unknown, .unsupported, .shadowed, .change: Failure(error)
        }
    }
}
