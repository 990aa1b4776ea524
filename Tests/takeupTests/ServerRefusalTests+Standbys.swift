import Foundation
import TestSupport
import Testing

extension ServerRefusalTests {
    @Test("a commit waits for an absent standby, and says so; check tells why")
    func absentStandby() throws {
        try server.run("CREATE DATABASE awaited")
        let address = Self.address(of: "takeup", database: "awaited")
        #expect(try run("submit a.mp4 --id first", on: address).exitCode == 0)
        let readings = ["cache list", "jobs list", "workers list"]
        // The first use makes tables.
        for line in readings { #expect(try run(line, on: address).exitCode == 0, "\(line)") }
        try server.setStandby(isMissing: true)
        var waiting = try start("submit a.mp4 --id second", on: address)
        let isTold = waiting.waitForOutput(containing: "has not answered for 5 s")
        #expect(isTold, "\(waiting.outputSoFar)")
        // While the first one waits, it holds the lock of the queue.
        let next = try run("submit a.mp4 --id third", on: address)
        #expect(next.exitCode == 75 && next.errorText.contains("has not answered"))
        #expect(next.errorText.contains("standby"), "\(next.errorText)")
        // What only reads does not wait.
        for line in readings { #expect(try run(line, on: address).exitCode == 0, "\(line)") }
        let check = try run("database check", on: address)
        #expect(check.exitCode == 1, "\(check.errorText)")
        #expect(check.outputText.contains("commits wait for 1, and 0 are connected"))
        try server.setStandby(isMissing: false)
        let ended = waiting.wait()
        #expect(ended.exitCode == 0, "\(ended.errorText)")
        #expect(ended.outputText.contains("second"))
    }

    @Test("a wait for a standby that somebody cancels is no success: the command waits again")
    func cancelledWait() throws {
        try server.run("CREATE DATABASE cancelled")
        let address = Self.address(of: "takeup", database: "cancelled")
        #expect(try run("submit a.mp4 --id first", on: address).exitCode == 0)
        try server.setStandby(isMissing: true)
        defer {
            try? server.setStandby(isMissing: false)
        }
        // What was cancelled stands on this server alone: a second look at it is no confirmation either.
        for _ in 0..<2 {
            var waiting = try start("submit a.mp4 --id second", on: address)
            let end = ContinuousClock.now + .seconds(60)
            while ContinuousClock.now < end,
                !waiting.waitForOutput(containing: "standby was cancelled", timeoutSeconds: 0.1)
            {
                try server.run(
                    """
                    SELECT pg_cancel_backend(pid) FROM pg_stat_activity
                    WHERE datname = 'cancelled' AND wait_event = 'SyncRep'
                    """)
            }
            let ended = waiting.wait()
            #expect(ended.exitCode == 69, "\(ended.outputText)")
            #expect(ended.errorText.contains("standby was cancelled"), "\(ended.errorText)")
        }
        var last = try start("submit a.mp4 --id second", on: address)
        let isTold = last.waitForOutput(containing: "has not answered for 5 s")
        #expect(isTold, "\(last.outputSoFar)")
        try server.setStandby(isMissing: false)
        let ended = last.wait()
        #expect(ended.exitCode == 0, "\(ended.errorText)")
        let listed = try run("jobs list --json", on: address)
        #expect(listed.outputText.components(separatedBy: "\"second\"").count == 2)
    }

    @Test("an end that the standby does not have is not told by a command that waits for it")
    func unconfirmedEnd() throws {
        try server.run("CREATE DATABASE unconfirmed")
        let address = Self.address(of: "takeup", database: "unconfirmed")
        let standby = try Subprocess(
            "pg_receivewal",
            [
                "-D", bench.folder, "--synchronous", "-d",
                "host=\(server.folder) user=takeup application_name=near",
            ])
        try server.run(
            "ALTER SYSTEM SET synchronous_standby_names = 'near'", "SELECT pg_reload_conf()")
        defer {
            try? server.setStandby(isMissing: false)
        }
        var waiting = try start("submit a.mp4 --id one --wait", on: address)
        let isAccepted = waiting.waitForOutput(containing: "takeup worker")
        #expect(isAccepted, "\(waiting.outputSoFar)")
        standby.signal(SIGKILL)
        _ = standby.wait()
        // Seen at once, as after a wait that somebody has cancelled.
        let change = "UPDATE job SET state = 'cancelled', finished_at = 1"
        _ = try Subprocess.run(
            "psql",
            [
                "-h", server.folder, "-U", "takeup", "-c", "SET synchronous_commit = local",
                "-c", change, "unconfirmed",
            ]
        ).requireSuccess()
        let isTold = waiting.waitForOutput(containing: "has not answered for 5 s")
        #expect(isTold && !waiting.outputSoFar.contains("cancelled"), "\(waiting.outputSoFar)")
        var retry = try start("jobs retry one", on: address)
        let waits = retry.waitForOutput(containing: "has not answered for 5 s")
        #expect(waits, "\(retry.outputSoFar)")
        try server.setStandby(isMissing: false)
        let ended = waiting.wait()
        #expect(ended.exitCode != 0 && ended.errorText.contains("cancelled"), "\(ended.errorText)")
        #expect(retry.wait().exitCode == 0)
    }
}
