internal import Foundation

/// Stands between libpq and a PostgreSQL server, and cuts connections at the worst moment.
// Safe: `cuts` and `passed` are read and written under `lock` alone, everything else is set once.
public final class PostgresProxy: @unchecked Sendable {
    private let lock = NSLock()
    private var (cuts, passed) = (0, 0)
    private let listener: Int32
    private let folder: String
    private let server: String

    /// Listens in a folder, which is made; its path is short, as a socket's has to be.
    ///
    /// - Throws: `ToolFailure`.
    public init(folder: String, to server: PostgresServer) throws(ToolFailure) {
        (self.folder, self.server) = (folder, "\(server.folder)/.s.PGSQL.5432")
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        let path = "\(folder)/.s.PGSQL.5432"
        unlink(path)
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard Self.withAddress(path, { bind(listener, $0, $1) }) == 0, listen(listener, 64) == 0
        else { throw ToolFailure("cannot listen in \(folder)") }
        Thread.detachNewThread { [listener, weak self] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { return }
                self?.serve(client)
            }
        }
    }

    deinit {
        // Ends the thread that accepts.
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// The address of a schema of the server, through here.
    public func address(schema: String) -> String {
        let host = folder.replacing("/", with: "%2F")
        return "postgres://takeup@/postgres?host=\(host)&options=-csearch_path%3D\(schema)"
    }

    /// Keeps the answers of so many commits, which the server has carried out, and ends their connections.
    ///
    /// - Parameters:
    ///   - count: How many, one after the other.
    ///   - passed: How many commits are answered before.
    public func cutAnswers(ofCommits count: Int, after passed: Int = 0) {
        lock.withLock { (cuts, self.passed) = (count, passed) }
    }

    /// How many of them are still to come.
    public var cutsLeft: Int { lock.withLock { cuts } }

    private static func withAddress(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { place in
            place.copyBytes(from: Array(path.utf8.prefix(place.count - 1)))
        }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    private func serve(_ client: Int32) {
        let other = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard Self.withAddress(server, { connect(other, $0, $1) }) == 0 else {
            close(client)
            close(other)
            return
        }
        let pair = Pair()
        Thread.detachNewThread { [self] in
            pump(client, other) { chunk in
                if pair.commits(chunk), takeCut() { pair.cut() }
                return true
            }
            shutdown(other, Int32(SHUT_RDWR))
            shutdown(client, Int32(SHUT_RDWR))
        }
        Thread.detachNewThread { [self] in
            pump(other, client) { _ in !pair.isCut }
            shutdown(client, Int32(SHUT_RDWR))
            shutdown(other, Int32(SHUT_RDWR))
        }
    }

    private func takeCut() -> Bool {
        lock.withLock {
            guard cuts > 0 else { return false }
            guard passed == 0 else {
                passed -= 1
                return false
            }
            cuts -= 1
            return true
        }
    }

    /// Passes bytes on until one side ends, or `passes` says that these go nowhere.
    private func pump(_ from: Int32, _ to: Int32, _ passes: (Data) -> Bool) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(from, &buffer, buffer.count)
            guard count > 0 else { return }
            let chunk = Data(buffer[..<count])
            guard passes(chunk) else { return }
            let sent = chunk.withUnsafeBytes {
                send(to, $0.baseAddress, count, Int32(MSG_NOSIGNAL))
            }
            guard sent == count else { return }
        }
    }

    /// Whether the answer of a commit is to be kept.
    // Safe: `isOver` is read and written under `lock` alone.
    private final class Pair: @unchecked Sendable {
        private let lock = NSLock()
        private var isOver = false
        /// What a message to run the planned commit says; nil while none is planned.
        private var planned: Data?

        /// Whether a chunk of messages tells the server to commit, in words or by the name of the plan for them.
        func commits(_ chunk: Data) -> Bool {
            lock.withLock {
                guard let words = chunk.range(of: Data("COMMIT\0".utf8)) else {
                    return planned.map { chunk.range(of: $0) != nil } ?? false
                }
                let before = chunk[..<words.lowerBound]
                if let name = before.range(of: Data("takeup_".utf8), options: .backwards),
                    before[name.lowerBound...].firstIndex(of: 0) == before.indices.last
                {
                    planned = Data([0]) + before[name.lowerBound...]
                }
                return true
            }
        }

        var isCut: Bool { lock.withLock { isOver } }
        func cut() { lock.withLock { isOver = true } }
    }
}
