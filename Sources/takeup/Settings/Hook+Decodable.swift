import TakeupCurl
import TakeupFiles
import TakeupIntake
import TakeupModel
import TakeupService
public import TakeupWatch

/// The form of a hook in settings: a `command` or a `url`, and the hook's options.
extension Hook: Decodable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case name, command, url, secretFile, events, timeout
    }

    /// Any key, so that those that mean nothing are seen.
    private struct AnyKey: CodingKey {
        let stringValue: String
        let intValue: Int? = nil

        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    public init(from decoder: any Decoder) throws {
        try Self.refuseUnknownKeys(decoder)
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        let events = try fields.decodeIfPresent([String].self, forKey: .events)
        let timeout = try fields.decodeIfPresent(String.self, forKey: .timeout)
        do {
            self = try Hook(
                name: fields.decodeIfPresent(String.self, forKey: .name), Self.target(fields),
                events: events.map { try Self.names($0, fields) } ?? Set(HookEvent.Name.allCases),
                timeoutSeconds: timeout.map { try Self.seconds($0, fields) } ?? 30)
        } catch let error as WatchError {
            throw Self.refused(Failure(error).message, decoder.codingPath)
        }
    }

    private static func refuseUnknownKeys(_ decoder: any Decoder) throws {
        let known = CodingKeys.allCases.map(\.rawValue)
        let unknown = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
            .filter { !known.contains($0) }.sorted()
        guard unknown.isEmpty else {
            let words = unknown.map { "'\($0)'" }.joined(separator: ", ")
            throw refused(
                "a hook has no \(words); it has \(known.joined(separator: ", "))",
                decoder.codingPath)
        }
    }

    private static func target(_ fields: KeyedDecodingContainer<CodingKeys>) throws -> Target {
        let command = try fields.decodeIfPresent([String].self, forKey: .command)
        let url = try fields.decodeIfPresent(String.self, forKey: .url)
        let secretFile = try fields.decodeIfPresent(String.self, forKey: .secretFile)
        switch (command, url) {
        case (let command?, nil):
            guard secretFile == nil else {
                throw refused("secretFile goes with url alone", fields.codingPath)
            }
            return .command(command)
        case (nil, let url?):
            do throws(CurlError) {
                return .web(url: try WebAddress(url).text, secretFile: secretFile)
            } catch {
                throw refused("its url cannot be used: \(error.reason)", fields.codingPath)
            }
        case (nil, nil), (.some, .some):
            throw refused("a hook has either a command or a url", fields.codingPath)
        }
    }

    private static func names(
        _ words: [String], _ fields: KeyedDecodingContainer<CodingKeys>
    ) throws -> Set<HookEvent.Name> {
        let known = HookEvent.Name.allCases.map(\.rawValue).joined(separator: ", ")
        return Set(
            try words.map { word in
                guard let name = HookEvent.Name(rawValue: word) else {
                    throw refused(
                        "there is no event '\(word)'; there are \(known)",
                        fields.codingPath + [CodingKeys.events])
                }
                return name
            })
    }

    private static func seconds(
        _ text: String, _ fields: KeyedDecodingContainer<CodingKeys>
    ) throws -> Double {
        guard let seconds = DurationText(parsing: text)?.seconds else {
            throw refused("its timeout is no time such as 30s", fields.codingPath)
        }
        return seconds
    }

    private static func refused(_ words: String, _ path: [any CodingKey]) -> DecodingError {
        .dataCorrupted(.init(codingPath: path, debugDescription: words))
    }
}

extension Hook {
    /// The same hook with its files named from a folder, as settings in that folder mean them.
    ///
    /// A program without a slash is still looked up in PATH.
    func placed(in folder: String) throws(WatchError) -> Hook {
        let absolute = { (path: String) in
            let path = HomePath.expanded(path)
            return Folder.isAbsolute(path) ? path : "\(folder)/\(path)"
        }
        let target: Target =
            switch self.target {
            case .command(let words):
                .command(
                    words.prefix(1).map { Folder.hasSlash($0) ? absolute($0) : $0 }
                        + words.dropFirst())
            case .web(let url, let secretFile): .web(url: url, secretFile: secretFile.map(absolute))
            }
        return try Hook(name: name, target, events: events, timeoutSeconds: timeoutSeconds)
    }
}
