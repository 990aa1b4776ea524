import TakeupWatch

/// What a scan found, for tests to compare.
struct ScanReport {
    private(set) var files: [String: FileMark] = [:]
    private(set) var folders: [String] = []
    private(set) var passedOver: [String: PassedOver] = [:]
    private(set) var unreadable: [String: Int32] = [:]
    private(set) var result = ScanResult()

    /// Runs a scan; `found` is called before a finding is noted.
    init(_ scan: TreeScan, below folder: String = "", found: (ScanFinding) -> Void = { _ in }) {
        var report = self
        let result = scan.run(below: folder) { finding in
            found(finding)
            report.note(finding)
        }
        self = report
        self.result = result
    }

    private mutating func note(_ finding: ScanFinding) {
        switch finding {
        case .file(let path, let mark): files[path] = mark
        case .folder(let path, _, _): folders.append(path)
        case .passedOver(let path, let reason): passedOver[path] = reason
        case .unreadable(let path, let reason): unreadable[path] = reason
        }
    }
}
