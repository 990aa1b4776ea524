/// How many folders the system watches for one user's programs.
struct InotifyLimits: Sendable, Equatable {
    /// With fewer, the folders of a large tree are found by scans alone.
    static let fewestWatches = 65_536
    /// The kernel's own default; each watched folder takes one, and so does many another program of the user.
    static let fewestInstances = 128

    /// Folders, of all programs together.
    let watches: Int
    /// Programs' own queues of events.
    let instances: Int

    var check: DoctorCheck {
        let raised = [
            watches < Self.fewestWatches ? "fs.inotify.max_user_watches=524288" : nil,
            instances < Self.fewestInstances ? "fs.inotify.max_user_instances=512" : nil,
        ].compactMap(\.self)
        return DoctorCheck(
            subject: "inotify", status: raised.isEmpty ? .good : .warning,
            finding: "\(watches) watches, \(instances) instances",
            hint: raised.isEmpty
                ? nil
                : "watched folders beyond that are seen by scans alone: "
                    + "sysctl -w \(raised.joined(separator: " "))")
    }
}
