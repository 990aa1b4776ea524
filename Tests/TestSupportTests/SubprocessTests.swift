import Foundation
import TestSupport
import Testing

@Suite("Subprocess")
struct SubprocessTests {
    @Test("captures both streams and the exit code")
    func captures() throws {
        let outcome = try Subprocess.run("sh", ["-c", "echo out; echo err >&2; exit 3"])
        #expect(outcome.exitCode == 3)
        #expect(outcome.signal == nil)
        #expect(outcome.outputText == "out\n")
        #expect(outcome.errorText == "err\n")
        #expect(throws: ToolFailure.self) { try outcome.requireSuccess() }
    }

    @Test("reads more than a pipe holds from both streams")
    func readsMuch() throws {
        let outcome = try Subprocess.run(
            "sh", ["-c", "head -c 3000000 /dev/zero; head -c 2000000 /dev/zero >&2"])
        #expect(outcome.standardOutput.count == 3_000_000)
        #expect(outcome.standardError.count == 2_000_000)
    }

    @Test("kills the whole group when the time is over")
    func timesOut() throws {
        let outcome = try Subprocess.run("sh", ["-c", "sleep 60 & sleep 61"], timeoutSeconds: 0.3)
        #expect(outcome.timedOut)
        #expect(outcome.signal == SIGKILL)
        #expect(outcome.seconds < 5)
    }

    @Test("tells a signal from an exit, after a text was seen")
    func signals() throws {
        var process = try Subprocess("sh", ["-c", "echo ready; exec sleep 60"])
        let isReady = process.waitForOutput(containing: "ready")
        #expect(isReady)
        process.signal(SIGTERM)
        let outcome = process.wait(timeoutSeconds: 5)
        #expect(outcome.signal == SIGTERM)
        #expect(outcome.exitCode == nil)
        #expect(!outcome.timedOut)
    }

    @Test("measures the child's peak memory and not the test's own", arguments: [5, 60, 400])
    func peakMemory(mebibytes: Int) throws {
        let ballast = [UInt8](repeating: 1, count: 200 << 20)
        let script = "x = bytearray(\(mebibytes) << 20); import time; time.sleep(0.1)"
        let outcome = try Subprocess.run("python3", ["-c", script])
        let peak = outcome.peakResidentBytes >> 20
        #expect(peak >= mebibytes && peak < mebibytes + 40, "\(peak) MiB")
        #expect(ballast[1234567] == 1)
    }

    @Test("starts in the directory and with the variables that it is given")
    func startsThere() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path
        let outcome = try Subprocess.run(
            "sh", ["-c", "pwd; echo $TAKEUP_X"], environment: ["TAKEUP_X": "y"], directory: path)
        #expect(outcome.outputText == "\(path)\ny\n")
    }

    @Test("refuses a program that is not there")
    func refusesMissing() {
        #expect(throws: ToolFailure.self) { try Subprocess.run("/no/such/program", []) }
    }

    @Test("many at once do not wait for each other's streams")
    func manyAtOnce() async throws {
        try await withThrowingTaskGroup(of: Double.self) { group in
            for index in 0..<40 {
                group.addTask {
                    let seconds = index == 0 ? "2" : "0"
                    return try Subprocess.run("sleep", [seconds]).seconds
                }
            }
            var slow = 0
            for try await seconds in group where seconds > 1.5 { slow += 1 }
            #expect(slow == 1)
        }
    }
}
