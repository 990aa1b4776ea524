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
        var hasNetwork = true
        var inotify: InotifyLimits? = InotifyLimits(watches: 65_536, instances: 128)

        static let whole: Sandbox = {
            var sandbox = Sandbox.available()
            (sandbox.landlockVersion, sandbox.filtersCalls) = (4, true)
            return sandbox
        }()

        func freeBytes(_ folder: String) -> Int64? { free }
        func isThere(_ path: String) -> Bool { LinuxFacts().isThere(path) }
        func isWritable(_ folder: String) -> Bool { writable }
        func supportsNamelessFiles(_ folder: String) -> Bool { nameless }
        func isProcMounted() -> Bool { true }
        func sandbox() -> Sandbox { seal }
        func canFetch() -> Bool { hasNetwork }
        func cores() -> Int { 2 }
        func availableMemory() -> Int64? { memory }
        func inotifyLimits() -> InotifyLimits? { inotify }
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
            (Machine(hasNetwork: false), "network", "warn"),
            (Machine(memory: 100_000_000), "memory", "warn"),
        ])
    func bad(machine: Machine, subject: String, status: String) {
        #expect(statuses(machine)[subject]?.rawValue == status)
        let diagnosis = Diagnosis(facts: machine, folder: "/out", temporaryFolder: "/tmp")
        let check = diagnosis.checks().first { $0.subject == subject }
        #expect(check?.hint != nil || machine.free == nil)
    }

    @Test(
        "few watches or instances of inotify are a warning, with the line that raises them",
        arguments: [
            (65_535, 128, "sysctl -w fs.inotify.max_user_watches=524288"),
            (65_536, 127, "sysctl -w fs.inotify.max_user_instances=512"),
            (
                8192, 1,
                "sysctl -w fs.inotify.max_user_watches=524288 fs.inotify.max_user_instances=512"
            ),
        ])
    func inotify(watches: Int, instances: Int, line: String) {
        let check = InotifyLimits(watches: watches, instances: instances).check
        #expect(check.status == .warning && check.hint?.hasSuffix(line) == true)
        #expect(check.finding == "\(watches) watches, \(instances) instances")
        var machine = Machine()
        machine.inotify = InotifyLimits(watches: watches, instances: instances)
        #expect(statuses(machine)["inotify"] == .warning)
        machine.inotify = nil
        #expect(statuses(machine)["inotify"] == .warning)
    }

    @Test("the limits of this machine can be read")
    func inotifyHere() throws {
        let limits = try #require(LinuxFacts().inotifyLimits())
        #expect(limits.watches > 0 && limits.instances > 0)
    }
}
