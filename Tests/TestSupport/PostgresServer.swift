import Foundation

/// A PostgreSQL server of the tests' own, without a port: started once for each process of tests, ended with it.
public final class PostgresServer: Sendable {
    /// The server, or why there is none.
    public static let shared = Result { () throws(ToolFailure) in try PostgresServer() }

    private let folder: String

    /// The address of the server's first database, with settings for a schema to be worked in.
    public func address(schema: String) -> String {
        let host = folder.replacing("/", with: "%2F")
        return "postgres://takeup@/postgres?host=\(host)&options=-csearch_path%3D\(schema)"
    }

    /// Runs until this process has ended, whatever ends it.
    ///
    /// PostgreSQL refuses to be run by root.
    private static let script = #"""
        parent=$1 folder=$2 programs=$3
        as() { "$@"; }
        if [ "$(id -u)" = 0 ]; then
            chown postgres "$folder"
            as() { setpriv --reuid=postgres --regid=postgres --clear-groups "$@"; }
        fi
        cd "$folder"
        as "$programs/initdb" -D data -A trust -U takeup -E UTF8 --locale=C --no-sync >initdb.log 2>&1 || exit 1
        as "$programs/postgres" -D data -k "$folder" -c listen_addresses= -c fsync=off \
            -c full_page_writes=off -c shared_buffers=16MB -c max_connections=300 >server.log 2>&1 &
        server=$!
        while kill -0 "$parent" 2>/dev/null; do sleep 0.3; done
        kill -QUIT $server
        wait
        rm -rf "$folder"
        """#

    private init() throws(ToolFailure) {
        let versions = "/usr/lib/postgresql"
        let newest = (try? FileManager.default.contentsOfDirectory(atPath: versions))?
            .compactMap(Int.init).max()
        guard let newest else {
            throw ToolFailure("there is no PostgreSQL in \(versions): run scripts/setup")
        }
        // A socket's path is short.
        folder = "/tmp/takeup-pg-\(getpid())"
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = [
            "-c", Self.script, "sh", "\(getpid())", folder, "\(versions)/\(newest)/bin",
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
        let deadline = ContinuousClock.now + .seconds(60)
        while !FileManager.default.fileExists(atPath: "\(folder)/.s.PGSQL.5432") {
            guard process.isRunning, ContinuousClock.now < deadline else {
                let log =
                    (try? String(contentsOfFile: "\(folder)/initdb.log", encoding: .utf8)) ?? ""
                throw ToolFailure("PostgreSQL does not start: \(log.suffix(500))")
            }
            usleep(20_000)
        }
    }
}
