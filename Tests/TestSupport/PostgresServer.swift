internal import Foundation
internal import TakeupPostgres
internal import TakeupSQL

/// A PostgreSQL server of the tests' own, without a port: ended with the process of the tests.
public final class PostgresServer: Sendable {
    /// The server that most tests share, or why there is none.
    public static let shared = Result { () throws(ToolFailure) in
        // A socket's path is short.
        try PostgresServer(folder: "/tmp/takeup-pg-\(getpid())")
    }

    /// Where its socket is.
    public let folder: String

    /// The address of the server's first database, with settings for a schema to be worked in.
    public func address(schema: String) -> String {
        let host = folder.replacing("/", with: "%2F")
        return "postgres://takeup@/postgres?host=\(host)&options=-csearch_path%3D\(schema)"
    }

    /// Runs until this process has ended, whatever ends it.
    ///
    /// PostgreSQL refuses to be run by root.
    private static let script = #"""
        parent=$1 folder=$2 programs=$3 listening=$4
        as() { "$@"; }
        if [ "$(id -u)" = 0 ]; then
            chown postgres "$folder"
            as() { setpriv --reuid=postgres --regid=postgres --clear-groups "$@"; }
        fi
        cd "$folder"
        as "$programs/initdb" -D data -A trust -U takeup -E UTF8 --locale=C --no-sync >initdb.log 2>&1 || exit 1
        start() {
            as "$programs/postgres" -D data -k "$folder" -c listen_addresses="$listening" -c fsync=off \
                -c full_page_writes=off -c shared_buffers=16MB -c max_connections=300 \
                -c wal_writer_delay=10s >>server.log 2>&1 &
        }
        stop() { kill "-$1" "$(head -n 1 data/postmaster.pid)"; wait; }
        start
        runs=yes
        while kill -0 "$parent" 2>/dev/null; do
            if [ $runs = yes ] && [ -e halt ]; then
                stop "$(cat halt)"
                runs=no
            elif [ $runs = no ] && [ ! -e halt ]; then
                start
                runs=yes
            fi
            sleep 0.1
        done
        [ $runs = no ] || stop QUIT
        rm -rf "$folder"
        """#

    /// Starts a server of its own.
    ///
    /// - Parameters:
    ///   - folder: Made, and removed in the end; its path is short, as a socket's has to be.
    ///   - host: An address of this machine, where it listens too, at PostgreSQL's own port.
    /// - Throws: `ToolFailure`.
    public init(folder: String, host: String = "") throws(ToolFailure) {
        self.folder = folder
        let versions = "/usr/lib/postgresql"
        let newest = (try? FileManager.default.contentsOfDirectory(atPath: versions))?
            .compactMap(Int.init).max()
        guard let newest else {
            throw ToolFailure("there is no PostgreSQL in \(versions): run scripts/setup")
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = [
            "-c", Self.script, "sh", "\(getpid())", folder, "\(versions)/\(newest)/bin", host,
        ]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        do {
            try? FileManager.default.removeItem(atPath: folder)
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o755])
            try process.run()
        } catch {
            throw ToolFailure("PostgreSQL does not start: \(error)")
        }
        guard waits(isThere: true, while: { process.isRunning }) else {
            let log = (try? String(contentsOfFile: "\(folder)/initdb.log", encoding: .utf8)) ?? ""
            throw ToolFailure("PostgreSQL does not start: \(log.suffix(500))")
        }
        try awaitAnswer()
    }

    /// Ends every connection and stops the server, as before a restart.
    ///
    /// - Parameter isCrash: Loses what has not reached the disk, as when its machine dies.
    /// - Throws: `ToolFailure`.
    public func halt(isCrash: Bool = false) throws(ToolFailure) {
        do {
            try Data((isCrash ? "QUIT" : "INT").utf8)
                .write(to: URL(fileURLWithPath: "\(folder)/halt"), options: .atomic)
        } catch {
            throw ToolFailure("cannot write to \(folder): \(error)")
        }
        guard waits(isThere: false) else { throw ToolFailure("PostgreSQL does not stop") }
    }

    /// Starts the server again.
    ///
    /// - Throws: `ToolFailure`.
    public func resume() throws(ToolFailure) {
        try? FileManager.default.removeItem(atPath: "\(folder)/halt")
        try awaitAnswer()
    }

    /// Runs statements as the owner, each by itself.
    ///
    /// - Throws: `SQLError`; `ToolFailure` where the server does not answer.
    public func run(_ statements: String...) throws {
        guard let database = PostgresDatabase(address: address(schema: "public")) else {
            throw ToolFailure("no address of a server for \(folder)")
        }
        let connection = try database.connect(.full)
        for statement in statements { try connection.execute(statement) }
    }

    /// With `true` every commit waits for a standby that does not exist, with `false` none waits any more.
    ///
    /// - Throws: `SQLError`; `ToolFailure` where the server does not answer.
    public func setStandby(isMissing: Bool) throws {
        try run(
            "ALTER SYSTEM \(isMissing ? "SET" : "RESET") synchronous_standby_names"
                + (isMissing ? " = 'nobody'" : ""), "SELECT pg_reload_conf()")
        guard isMissing, let database = PostgresDatabase(address: address(schema: "public")) else {
            return
        }
        // Not every process of the server has read that yet: commits until one waits.
        let probed = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            while (try? self.run("CREATE TEMP TABLE probe (); DISCARD TEMP")) != nil {}
            probed.signal()
        }
        let connection = try database.connect(.local)
        let deadline = ContinuousClock.now + .seconds(60)
        repeat {
            _ = try connection.query(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE wait_event = 'SyncRep'
                """
            ) { _ in }
            guard ContinuousClock.now < deadline else {
                throw ToolFailure("no commit waits for a standby")
            }
        } while probed.wait(timeout: .now() + .milliseconds(5)) == .timedOut
    }

    private func awaitAnswer() throws(ToolFailure) {
        let deadline = ContinuousClock.now + .seconds(60)
        let database = PostgresDatabase(address: address(schema: "public"))
        // Its socket is there before it answers.
        while (try? database?.connect(.full)) == nil {
            guard ContinuousClock.now < deadline else {
                throw ToolFailure("PostgreSQL does not answer")
            }
            usleep(20_000)
        }
    }

    private func waits(isThere: Bool, while isRunning: () -> Bool = { true }) -> Bool {
        let deadline = ContinuousClock.now + .seconds(60)
        while FileManager.default.fileExists(atPath: "\(folder)/.s.PGSQL.5432") != isThere {
            guard isRunning(), ContinuousClock.now < deadline else { return false }
            usleep(20_000)
        }
        return true
    }
}
