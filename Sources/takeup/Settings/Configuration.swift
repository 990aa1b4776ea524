import Foundation

/// The configuration file: values for options, by their long names.
struct Configuration: Sendable, Equatable {
    /// Bytes that a configuration file may have.
    static let largestFile = 1_000_000

    let path: String
    let values: [String: String]

    /// Reads a file of the form `{"preset": "medium", "strip-metadata": true}`.
    init(path: String, reading options: [OptionSpecification]) throws(ConfigurationError) {
        let contents: [String: Scalar]
        do {
            let bytes = try Self.bytes(at: path)
            contents = try JSONDecoder().decode([String: Scalar].self, from: bytes)
        } catch let error as DecodingError {
            throw ConfigurationError(
                message: "\(path) is not a configuration file: \(Self.reason(error))",
                hint: #"write one JSON object, such as {"preset": "medium"}"#)
        } catch {
            throw ConfigurationError(
                message: "cannot read the configuration file \(path)",
                hint: "check --config, TAKEUP_CONFIG and the file's permissions")
        }
        try self.init(path: path, contents: contents, reading: options)
    }

    private init(
        path: String, contents: [String: Scalar], reading options: [OptionSpecification]
    ) throws(ConfigurationError) {
        let configurable = options.filter(\.isConfigurable)
        var values: [String: String] = [:]
        for (key, scalar) in contents.sorted(by: { $0.key < $1.key }) {
            guard let option = configurable.first(where: { $0.name == key }) else {
                let names = configurable.map(\.name).sorted()
                throw ConfigurationError(
                    message: "\(path) has an unknown key '\(key)'",
                    hint: ArgumentReader.suggestion(for: key, among: names))
            }
            guard let value = scalar.value(for: option) else {
                throw ConfigurationError(
                    message: "\(path): '\(key)' has the wrong kind of value",
                    hint: option.takesValue ? "write a string" : "write true or false")
            }
            values[key] = Self.place(value, of: option.completion, beside: path)
        }
        (self.path, self.values) = (path, values)
    }

    /// A preset file or a folder in a configuration is named from the configuration's own folder.
    private static func place(
        _ value: String, of kind: CompletionKind, beside path: String
    ) -> String {
        let isPath =
            switch kind {
            case .preset: value.contains("/") || value.hasSuffix(".json")
            case .directory: true
            case .file, .nothing: false
            }
        guard isPath, !value.hasPrefix("/"), let slash = path.lastIndex(of: "/") else {
            return value
        }
        return path[...slash] + value
    }

    private static func bytes(at path: String) throws -> Data {
        let handle = try FileHandle(forReadingFrom: URL(filePath: path))
        defer { try? handle.close() }
        let bytes = try handle.read(upToCount: largestFile + 1) ?? Data()
        guard bytes.count <= largestFile else { throw CocoaError(.fileReadTooLarge) }
        return bytes
    }

    private static func reason(_ error: DecodingError) -> String {
        switch error {
        case .typeMismatch(_, let context), .valueNotFound(_, let context),
            .keyNotFound(_, let context), .dataCorrupted(let context):
            (context.codingPath.last.map { "'\($0.stringValue)': " } ?? "")
                + context.debugDescription
        @unknown default: "it cannot be decoded"
        }
    }

    /// A string, a number or a truth value.
    private enum Scalar: Decodable {
        case text(String)
        case number(String)
        case flag(Bool)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let flag = try? container.decode(Bool.self) {
                self = .flag(flag)
            } else if let whole = try? container.decode(Int64.self) {
                self = .number("\(whole)")
            } else if let number = try? container.decode(Double.self) {
                self = .number("\(number)")
            } else {
                self = .text(try container.decode(String.self))
            }
        }

        func value(for option: OptionSpecification) -> String? {
            switch self {
            case .text(let text), .number(let text):
                option.takesValue && !text.isEmpty ? text : nil
            case .flag(let flag): option.takesValue ? nil : "\(flag)"
            }
        }
    }
}
