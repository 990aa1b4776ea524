internal import Foundation

/// PgBouncer in transaction mode before the tests' PostgreSQL server; ended with the object.
public final class PgBouncer {
    private let process = Process()
    private let folder: String

    /// Whether it is installed.
    public static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }

    private static let program = "/usr/sbin/pgbouncer"

    /// Starts it.
    ///
    /// - Parameters:
    ///   - folder: Made; its path is short, as a socket's has to be.
    ///   - server: What it stands before.
    /// - Throws: `ToolFailure`.
    public init(folder: String, before server: PostgresServer) throws(ToolFailure) {
        self.folder = folder
        let settings = """
            [databases]
            * = host=\(server.folder) user=takeup
            [pgbouncer]
            listen_addr =
            unix_socket_dir = \(folder)
            listen_port = 6432
            auth_type = any
            pool_mode = transaction
            default_pool_size = 3
            logfile = \(folder)/log
            """
        do {
            try? FileManager.default.removeItem(atPath: folder)
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o777])
            chmod(folder, 0o777)
            try settings.write(toFile: "\(folder)/ini", atomically: true, encoding: .utf8)
            // It refuses to be run by root, as PostgreSQL does.
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = [
                "-c",
                "[ $(id -u) != 0 ] || exec setpriv --reuid=postgres --regid=postgres --clear-groups \(Self.program) -q \(folder)/ini; exec \(Self.program) -q \(folder)/ini",
            ]
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
        } catch {
            throw ToolFailure("PgBouncer does not start: \(error)")
        }
        let end = ContinuousClock.now + .seconds(20)
        while !FileManager.default.fileExists(atPath: "\(folder)/.s.PGSQL.6432") {
            guard process.isRunning, ContinuousClock.now < end else {
                let log = (try? String(contentsOfFile: "\(folder)/log", encoding: .utf8)) ?? ""
                throw ToolFailure("PgBouncer does not start: \(log.suffix(500))")
            }
            usleep(20_000)
        }
    }

    deinit {
        // On SIGTERM it may wait for its clients.
        kill(process.processIdentifier, SIGKILL)
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// The address of a database of the server, through it.
    public func address(database: String) -> String {
        "postgres://takeup@/\(database)?host=\(folder.replacing("/", with: "%2F"))&port=6432"
    }
}
