internal import Foundation
public import TakeupPostgres
internal import TakeupSQL
internal import TakeupSQLite

/// Says where the queue and the manifest are.
public enum DatabaseAddress: Sendable, Equatable {
    /// A file of this machine; an absolute path.
    case sqlite(path: String)
    /// A server; all its workers use one cache folder.
    case postgres(PostgresDatabase)

    /// Reads a setting; nil for anything else.
    ///
    /// - Parameters:
    ///   - text: `sqlite:PATH`, or `postgres://[USER[:PASSWORD]@][HOST][:PORT][/DATABASE][?OPTION=VALUE]`.
    ///   - absolute: Turns a relative path into an absolute one.
    public init?(_ text: String, absolute: (String) -> String) {
        if let server = PostgresDatabase(address: text) {
            self = .postgres(server)
            return
        }
        guard text.lowercased().hasPrefix("sqlite:") else { return nil }
        var path = text.dropFirst("sqlite:".count)
        if path.hasPrefix("///") { path = path.dropFirst(2) }
        guard !path.isEmpty, !path.hasPrefix("//"), !path.hasSuffix("/"), !path.utf8.contains(0)
        else { return nil }
        self = .sqlite(path: absolute(String(path)))
    }

    /// A refused setting for messages: no more of it than surely is no user, password or option.
    package static func shown(_ text: String) -> String {
        func isPlain(_ text: Substring, _ marks: String) -> Bool {
            text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || marks.contains($0)) }
        }
        if isPlain(text[...], "/._-") { return text }
        let scheme = text.range(of: ":").map { text[..<$0.lowerBound] } ?? "="
        guard isPlain(scheme, "+-") else { return "…" }
        let isPath = scheme.lowercased() == "sqlite" && !text.contains("@")
        return isPath ? String(text.prefix { $0 != "?" }) : "\(scheme):…"
    }

    /// What messages call the database: a path, or an address without its secrets.
    public var name: String { database.name }

    /// As a setting, without secrets.
    public var setting: String {
        switch self {
        case .sqlite(let path): "sqlite:\(path)"
        case .postgres: name
        }
    }

    /// The file; nil for a server.
    public var path: String? {
        switch self {
        case .sqlite(let path): path
        case .postgres: nil
        }
    }

    /// The same address, whose server's slow answers are told; see `PostgresDatabase.telling`.
    package func telling(_ onSlowAnswer: @escaping @Sendable (String) -> Void) -> DatabaseAddress {
        switch self {
        case .sqlite: self
        case .postgres(let server): .postgres(server.telling(onSlowAnswer))
        }
    }

    var database: any SQLDatabase {
        switch self {
        case .sqlite(let path): SQLiteDatabase(path: path)
        case .postgres(let server): server
        }
    }
}
