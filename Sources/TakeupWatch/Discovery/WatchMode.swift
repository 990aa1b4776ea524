/// How changes below a watched folder are noticed.
public enum WatchMode: Sendable, Equatable {
    /// By events, and by a scan now and then for what they miss.
    case events
    /// By scans alone.
    case polling(Reason)

    public enum Reason: Sendable, Equatable {
        /// Other machines change the files; the kind's name.
        case network(String)
        /// Changes can be made beneath or behind the file system; the kind's name.
        case silent(String)
        /// The system watches no more folders for this user.
        case watchLimit
        case setting
    }

    /// What the user wants.
    public enum Setting: String, Sendable, CaseIterable, Codable {
        /// Events where all changes give some.
        case automatic
        case events
        case polling
    }

    /// Decides how a folder is watched.
    ///
    /// - Parameters:
    ///   - setting: Events that are asked for are taken on every file system.
    ///   - network: What `FileSystemKind.network` says of the folder.
    ///   - silent: What `FileSystemKind.withoutEvents` says of it.
    /// - Returns: The mode to begin with, and its reason; at the system's limit scans have to do all the same.
    public static func chosen(
        _ setting: Setting, network: String?, silent: String?
    ) -> WatchMode {
        switch setting {
        case .polling: return .polling(.setting)
        case .automatic:
            if let network { return .polling(.network(network)) }
            if let silent { return .polling(.silent(silent)) }
        case .events: break
        }
        return .events
    }

    /// For people and logs, such as `polling: as it was set`.
    public var words: String {
        switch self {
        case .events: "events"
        case .polling(.network(let kind)):
            "polling: \(kind) is changed by other machines, which gives no events"
        case .polling(.silent(let kind)):
            "polling: \(kind) can be changed from behind, which gives no events"
        case .polling(.watchLimit):
            "polling: the system watches no more folders (fs.inotify.max_user_watches, max_user_instances)"
        case .polling(.setting): "polling: as it was set"
        }
    }
}
