import Foundation
import TakeupClient
import TakeupModel
import TakeupServe

/// The options that say which server a command speaks to, in place of a database of this machine.
struct ServerOptions: Sendable, Equatable {
    static let specifications = [
        OptionSpecification(
            name: "server", valueName: "URL", environment: "TAKEUP_SERVER",
            help: "Ask this server, such as https://media.example.com or unix:PATH"),
        tokenFile,
    ]

    static let tokenFile = OptionSpecification(
        name: "token-file", valueName: "FILE", environment: "TAKEUP_TOKEN_FILE", completion: .file,
        help: "File of tokens: for serve all of its callers, for --server the caller's own")

    /// The longest file with a token, in bytes.
    private static let longestFile = 65_536

    /// As it was written; nil for this machine's own database.
    private let url: String?
    private let file: String?

    init(_ input: CommandInput) {
        (url, file) = (input.value("server"), input.value("token-file"))
    }

    var isSet: Bool { url != nil }

    /// The server that was asked for; nil where none was.
    ///
    /// - Throws: With 64 for what is no server's address, and with 78 for a token that cannot be read.
    func client(in context: CommandContext, _ style: OutputStyle) throws(Failure) -> ServerClient? {
        guard let url else { return nil }
        guard let server = ServerAddress(url, absolute: context.absolute) else {
            throw Failure(
                UsageError(
                    "--server cannot be '\(url)'",
                    hint: "for example http://127.0.0.1:8080, https://media.example.com or"
                        + " unix:/run/takeup/serve.sock"))
        }
        let token = try token(in: context)
        if token != nil, server.isOpen {
            Console(context, style).warning(
                "the token goes to \(server.text) unencrypted: who is in between can read it")
        }
        return ServerClient(
            server, token: token, authorities: context.environment["SSL_CERT_FILE"])
    }

    private func token(in context: CommandContext) throws(Failure) -> String? {
        guard let file else { return context.environment["TAKEUP_TOKEN"].flatMap(Self.usable) }
        let path = context.resolve(file)
        guard let handle = FileHandle(forReadingAtPath: path),
            let bytes = try? handle.read(upToCount: Self.longestFile),
            let text = String(validating: bytes, as: UTF8.self),
            let token = text.split(whereSeparator: \.isNewline).lazy
                .compactMap({ Self.usable(String($0)) }).first
        else {
            throw Failure(
                exitCode: .configuration, code: "tokenUnreadable", stage: "request",
                message: "\(path) holds no token that can be read",
                hint: "let the file have the token as its first line")
        }
        return token
    }

    /// The token of a line, which may be one of the server's own file: a scope, a token, a name.
    private static func usable(_ line: String) -> String? {
        let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == "\r" })
        let scopes = AccessScope.allCases.map(\.rawValue)
        let hasScope = words.count > 1 && scopes.contains(String(words[0]))
        guard let word = hasScope ? words[1] : words.first, !word.hasPrefix("#"),
            word.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        return String(word)
    }
}
