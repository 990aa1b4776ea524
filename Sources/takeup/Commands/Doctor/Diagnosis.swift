import TakeupModel
import TakeupProcess
import TakeupIntake

/// Looks at the machine for what would make exports fail or suffer.
struct Diagnosis {
    /// Less free space than this is worth a warning: a minute of 1080p takes some 60 MB.
    static let scarceBytes: Int64 = 1_000_000_000
    /// With less free space than this no export gets far.
    static let fewestBytes: Int64 = 50_000_000
    /// Encoding 1080p with x264 takes about this much memory.
    static let scarceMemory: Int64 = 700_000_000

    let facts: any SystemFacts
    /// The folder that outputs go to.
    let folder: String
    let temporaryFolder: String

    func checks() -> [DoctorCheck] {
        [
            processors, memory, procfs, folderCheck("current directory", folder), namelessFiles,
            folderCheck("temporary directory", temporaryFolder), seal, network, inotify, presets,
        ]
    }

    private var processors: DoctorCheck {
        let cores = facts.cores()
        return DoctorCheck(
            subject: "processors", status: .good, finding: cores == 1 ? "1 core" : "\(cores) cores")
    }

    private var network: DoctorCheck {
        let isThere = facts.canFetch()
        return DoctorCheck(
            subject: "network", status: isThere ? .good : .warning,
            finding: isThere ? "libcurl is installed" : "libcurl is not installed",
            hint: isThere ? nil : "install libcurl4, so that sources may be addresses")
    }

    private var memory: DoctorCheck {
        guard let bytes = facts.availableMemory() else {
            return DoctorCheck(subject: "memory", status: .warning, finding: "unknown")
        }
        let isScarce = bytes < Self.scarceMemory
        return DoctorCheck(
            subject: "memory", status: isScarce ? .warning : .good,
            finding: "\(ByteSize(bytes: bytes)) available",
            hint: isScarce ? "1080p and larger may run out of memory: free some" : nil)
    }

    private var procfs: DoctorCheck {
        let isMounted = facts.isProcMounted()
        return DoctorCheck(
            subject: "/proc", status: isMounted ? .good : .warning,
            finding: isMounted ? "mounted" : "not mounted",
            hint: isMounted ? nil : "mount it, so that files can appear complete or not at all")
    }

    private func folderCheck(_ subject: String, _ folder: String) -> DoctorCheck {
        guard facts.isWritable(folder) else {
            return DoctorCheck(
                subject: subject, status: .warning, finding: "\(folder) is not writable",
                hint: "write outputs to a folder that you may write to")
        }
        guard let bytes = facts.freeBytes(folder) else {
            return DoctorCheck(
                subject: subject, status: .warning, finding: "\(folder): free space unknown")
        }
        let status: DoctorCheck.Status =
            bytes < Self.fewestBytes ? .failure : bytes < Self.scarceBytes ? .warning : .good
        return DoctorCheck(
            subject: subject, status: status,
            finding: "\(folder), \(ByteSize(bytes: bytes)) free",
            hint: status == .good ? nil : "free some space, or use another disk")
    }

    private var namelessFiles: DoctorCheck {
        let isSupported = facts.supportsNamelessFiles(folder)
        return DoctorCheck(
            subject: "O_TMPFILE", status: isSupported ? .good : .warning,
            finding: isSupported ? "supported here" : "not supported here",
            hint: isSupported
                ? nil : "a kill -9 may leave a hidden partial file beside an output")
    }

    private var seal: DoctorCheck {
        let sandbox = facts.sandbox()
        let denied = [
            sandbox.deniesFiles ? "files (Landlock \(sandbox.landlockVersion))" : nil,
            sandbox.deniesNetwork ? "network and programs (seccomp)" : nil,
        ].compactMap(\.self)
        let isWhole = sandbox.deniesFiles && sandbox.deniesNetwork
        return DoctorCheck(
            subject: "sealed exports", status: isWhole ? .good : .warning,
            finding: denied.isEmpty ? "nothing can be denied" : denied.joined(separator: ", "),
            hint: isWhole
                ? nil : "a kernel with Landlock and seccomp keeps hostile files from reading others"
        )
    }

    private var inotify: DoctorCheck {
        facts.inotifyLimits()?.check
            ?? DoctorCheck(subject: "inotify", status: .warning, finding: "unknown")
    }

    private var presets: DoctorCheck {
        let count = ExportPreset.shipped.count
        return DoctorCheck(
            subject: "presets", status: count > 0 ? .good : .failure, finding: "\(count) shipped",
            hint: count > 0 ? nil : "install Takeup again: its presets are missing")
    }
}
