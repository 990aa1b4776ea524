import TakeupProcess
import Testing

@testable import takeup

@Suite("Doctor")
struct DoctorTests {
    /// A machine as a test wants it.
    struct Machine: SystemFacts {
        var free: Int64? = 10_000_000_000
        var writable = true
        var nameless = true
        var memory: Int64? = 8_000_000_000
        var seal = Machine.whole

        static let whole: Sandbox = {
            var sandbox = Sandbox.available
            (sandbox.landlockVersion, sandbox.filtersCalls) = (4, true)
            return sandbox
        }()

        func freeBytes(_ folder: String) -> Int64? { free }
        func isThere(_ path: String) -> Bool { LinuxFacts().isThere(path) }
        func isWritable(_ folder: String) -> Bool { writable }
        func supportsNamelessFiles(_ folder: String) -> Bool { nameless }
        func isProcMounted() -> Bool { true }
        func sandbox() -> Sandbox { seal }
        func cores() -> Int { 2 }
        func availableMemory() -> Int64? { memory }
        func ffmpegFacts() -> [DoctorCheck] { [] }
    }

    private func statuses(_ machine: Machine) -> [String: DoctorCheck.Status] {
        let diagnosis = Diagnosis(facts: machine, folder: "/out", temporaryFolder: "/tmp")
        return Dictionary(
            uniqueKeysWithValues: diagnosis.checks().map { ($0.subject, $0.status) })
    }

    @Test("says that exports cannot be sealed")
    func unsealed() {
        var machine = Machine()
        machine.seal.landlockVersion = 0
        #expect(statuses(machine)["sealed exports"] == .warning)
    }

    @Test("a good machine has nothing to complain about")
    func good() {
        #expect(statuses(Machine()).values.allSatisfy { $0 == .good })
    }

    @Test(
        "what is scarce is a warning, what is not there a failure",
        arguments: [
            (Machine(free: 500_000_000), "current directory", "warn"),
            (Machine(free: 1_000_000), "current directory", "fail"),
            (Machine(free: nil), "temporary directory", "warn"),
            (Machine(writable: false), "current directory", "warn"),
            (Machine(nameless: false), "O_TMPFILE", "warn"),
            (Machine(memory: 100_000_000), "memory", "warn"),
        ])
    func bad(machine: Machine, subject: String, status: String) {
        #expect(statuses(machine)[subject]?.rawValue == status)
        let diagnosis = Diagnosis(facts: machine, folder: "/out", temporaryFolder: "/tmp")
        let check = diagnosis.checks().first { $0.subject == subject }
        #expect(check?.hint != nil || machine.free == nil)
    }
}
