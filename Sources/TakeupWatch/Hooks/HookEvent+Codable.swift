internal import Foundation

extension HookEvent: Codable {
    private enum CodingKeys: String, CodingKey {
        case type, id, time, folder, path, source, job, output, error, action, reason
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        let type = try fields.decode(String.self, forKey: .type)
        guard type.hasPrefix(Self.typePrefix),
            let name = Name(rawValue: String(type.dropFirst(Self.typePrefix.count)))
        else {
            throw DecodingError.dataCorruptedError(
                forKey: .type, in: fields, debugDescription: "\(type) is no event of a folder")
        }
        self.name = name
        id = try fields.decode(String.self, forKey: .id)
        time = try fields.decode(String.self, forKey: .time)
        folder = try fields.decode(String.self, forKey: .folder)
        path = try fields.decode(String.self, forKey: .path)
        job = try fields.decodeIfPresent(String.self, forKey: .job)
        output = try fields.decodeIfPresent(Output.self, forKey: .output)
        fault = try fields.decodeIfPresent(Fault.self, forKey: .error)
        action = try fields.decodeIfPresent(Action.self, forKey: .action)
        reason = try fields.decodeIfPresent(String.self, forKey: .reason)
    }

    /// What is unknown has no key.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(type, forKey: .type)
        try fields.encode(id, forKey: .id)
        try fields.encode(time, forKey: .time)
        try fields.encode(folder, forKey: .folder)
        try fields.encode(path, forKey: .path)
        try fields.encode(source, forKey: .source)
        try fields.encodeIfPresent(job, forKey: .job)
        try fields.encodeIfPresent(output, forKey: .output)
        try fields.encodeIfPresent(fault, forKey: .error)
        try fields.encodeIfPresent(action, forKey: .action)
        try fields.encodeIfPresent(reason, forKey: .reason)
    }

    /// On one line, keys in their alphabet's order.
    func json() throws(WatchError) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        } catch {
            throw .unreadable(
                setting: "an event of \(path)", reason: "it cannot be written as JSON")
        }
    }
}
