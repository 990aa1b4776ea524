internal import Foundation

/// What this process takes of the machine.
struct ProcessFacts: Sendable, Equatable {
    var residentBytes = 0.0
    var openDescriptors = 0.0
    var mostDescriptors = 0.0
    var processorSeconds = 0.0

    init() {}

    /// As the system has it now; what it does not tell is 0.
    static func current() -> ProcessFacts {
        var facts = ProcessFacts()
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?
            .split(separator: " ").dropFirst().first.flatMap { Double($0) }
        facts.residentBytes = (pages ?? 0) * Double(sysconf(Int32(_SC_PAGESIZE)))
        let open = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        // The one that has read the folder is gone by now.
        facts.openDescriptors = Double(max(0, (open?.count ?? 1) - 1))
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            facts.mostDescriptors = Double(limit.rlim_cur)
        }
        var usage = rusage()
        if getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 {
            facts.processorSeconds = seconds(usage.ru_utime) + seconds(usage.ru_stime)
        }
        return facts
    }

    private static func seconds(_ time: timeval) -> Double {
        Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000
    }
}
