internal import TakeupDigest

/// Somebody who is told what becomes of files.
public struct Hook: Equatable, Sendable {
    /// Who is told, and how.
    public enum Target: Equatable, Sendable {
        /// A program and its arguments, without a shell.
        case command([String])
        /// An address that takes a POST, and the file with the key that signs it; nil for no signature.
        case web(url: String, secretFile: String?)
    }

    /// Hooks of one daemon.
    public static let most = 16
    public static let mostArguments = 64
    public static let timeoutSeconds = 1.0...3600.0

    /// What settings call it; nil for what has no name.
    public let name: String?
    public let target: Target
    public let events: Set<HookEvent.Name>
    /// For one try.
    public let timeoutSeconds: Double
    /// By which what it is still to be told is found again: of its name, else of what it calls.
    ///
    /// A hook whose times, events or secret change stays the same one; under its name also when its target changes.
    public let key: String

    /// - Throws: `WatchError.unreadable` for values out of their ranges.
    public init(
        name: String? = nil, _ target: Target,
        events: Set<HookEvent.Name> = Set(HookEvent.Name.allCases), timeoutSeconds: Double = 30
    ) throws(WatchError) {
        try Self.check(target)
        guard name?.isEmpty != true else { throw Self.refused("its name is empty") }
        guard !events.isEmpty else { throw Self.refused("it has no event") }
        guard Self.timeoutSeconds.contains(timeoutSeconds) else {
            throw Self.refused("its time-out is neither 1s nor 1h nor between")
        }
        (self.name, self.target, self.events) = (name, target, events)
        self.timeoutSeconds = timeoutSeconds
        key = try Self.key(name, target)
    }

    /// For logs: without an address's path, which may hold a secret.
    public var label: String {
        if let name { return name }
        switch target {
        case .command(let words): return words.first ?? ""
        case .web(let url, _):
            return url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
                .prefix(2).joined(separator: "/") + "/" + Self.host(of: url)
        }
    }

    /// Refuses hooks that could not be told apart.
    public static func check(_ hooks: [Hook]) throws(WatchError) {
        guard hooks.count <= most else {
            throw refused("there are \(hooks.count), at most \(most)")
        }
        var keys: Set<String> = []
        for hook in hooks where !keys.insert(hook.key).inserted {
            throw .unreadable(
                setting: "hook \(hook.label)",
                reason: "there are two of them; give each a name of its own")
        }
    }

    private static func check(_ target: Target) throws(WatchError) {
        switch target {
        case .command(let words):
            guard (1...mostArguments).contains(words.count), words.first?.isEmpty == false else {
                throw refused("its command needs a program, and at most \(mostArguments) words")
            }
            // The system ends each word at a NUL.
            guard !words.contains(where: { $0.utf8.contains(0) }) else {
                throw refused("its command has a NUL in it")
            }
        case .web(let url, let secretFile):
            guard !url.isEmpty, secretFile?.isEmpty != true else {
                throw refused("its url or secretFile is empty")
            }
        }
    }

    private static func refused(_ reason: String) -> WatchError {
        .unreadable(setting: "a hook", reason: reason)
    }

    private static func key(_ name: String?, _ target: Target) throws(WatchError) -> String {
        var words: [String]
        switch (name, target) {
        case (let name?, _): words = ["name", name]
        case (nil, .command(let command)): words = ["command"] + command
        case (nil, .web(let url, _)): words = ["url", url]
        }
        // With their lengths, so that no two lists give one text.
        words = words.map { "\($0.utf8.count):\($0)" }
        return digest(of: words)
    }

    /// 32 digits of a list of words.
    static func digest(of words: [String]) -> String {
        String(SHA256Digest.of(words.joined(separator: "\n")).prefix(32))
    }

    /// Without a user, should there be one.
    private static func host(of url: String) -> String {
        let rest = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        let authority = (rest.last ?? "").prefix { !"/?#".contains($0) }
        return String(authority.split(separator: "@").last ?? "")
    }
}
