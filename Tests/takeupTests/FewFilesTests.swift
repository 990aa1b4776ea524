import TestSupport
import Testing

@Suite("With few open files")
struct FewFilesTests {
    @Test("a helper starts wherever its few files may be open", arguments: [64, 256, 512])
    func probe(limit: Int) throws {
        let bench = try TestBench()
        let outcome = try Subprocess.run(
            "/bin/sh",
            [
                "-c", "ulimit -n \(limit) && exec \"$@\"", "sh",
                try BuiltProduct.path(of: "takeup"), "probe", try Clip.base(seconds: 1).path,
            ],
            environment: ["TAKEUP_HOME": "\(bench.folder)/h", "TAKEUP_CACHE": "\(bench.folder)/c"],
            timeoutSeconds: 60)
        #expect(outcome.exitCode == 0, "\(outcome.errorText)")
    }
}
