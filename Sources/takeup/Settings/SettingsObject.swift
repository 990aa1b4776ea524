import TakeupWatch

/// One object of a JSON file: values for options under their long names, beside keys of its own.
///
/// `folders` are the watched folders of a configuration, each an object with a `path`; `rules` are for their files;
/// `hooks` are told what becomes of files; `skip` says in a watched folder itself why nothing of it is taken.
struct SettingsObject: Decodable, Sendable, Equatable {
    /// What an object may hold besides options.
    enum Part: String, CaseIterable, CodingKey {
        case watch, folders, path, rules, hooks, skip
        /// For editors.
        case schema = "$schema"
    }

    private(set) var options: [String: OptionValue] = [:]
    private(set) var path: String?
    private(set) var skip: String?
    private(set) var rules: [WatchRule] = []
    private(set) var hooks: [Hook] = []
    private(set) var folders: [SettingsObject] = []
    /// The only part of the outermost object that is an object itself.
    var watch: SettingsObject? { inner.first }
    /// The keys that are no options.
    private(set) var parts: Set<Part> = []
    private var inner: [SettingsObject] = []

    init() {}

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        for key in fields.allKeys {
            guard let part = Part(rawValue: key.stringValue) else {
                options[key.stringValue] = try fields.decode(OptionValue.self, forKey: key)
                continue
            }
            parts.insert(part)
            switch part {
            case .watch: inner = [try fields.decode(SettingsObject.self, forKey: key)]
            case .folders: folders = try fields.decode([SettingsObject].self, forKey: key)
            case .path: path = try fields.decode(String.self, forKey: key)
            case .rules: rules = try fields.decode([WatchRule].self, forKey: key)
            case .hooks: hooks = try fields.decode([Hook].self, forKey: key)
            case .schema: _ = try fields.decode(String.self, forKey: key)
            case .skip: skip = try fields.decode(String.self, forKey: key)
            }
        }
    }

    /// Any key.
    struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
