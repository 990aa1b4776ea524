/// Looks at everything below a folder, one folder after the other.
///
/// Disks that are mounted below it belong to it. Symbolic links are never followed, not even one that takes a folder's place meanwhile. At most `deepest` folders are
/// open at a time, and their subfolders' names are kept; findings are not.
public struct TreeScan {
    /// Folders within folders.
    public static let deepest = 64

    let root: Int32
    let isStopped: () -> Bool
    let admits: (ScanEntry) -> Bool
    let refusal: (FilePlace) -> String?

    /// - Parameters:
    ///   - root: An open folder, which must stay open; see `OpenRoot`.
    ///   - admits: Whether a file is looked at, or a folder entered; what is no folder and no file is not asked for.
    ///   - refusal: Why a folder is not entered, by what it is; not asked of the root.
    ///   - isStopped: Asked for every folder, and in large ones now and then; true ends the scan.
    public init(
        root: Int32, admits: @escaping (ScanEntry) -> Bool = { _ in true },
        refusal: @escaping (FilePlace) -> String? = { _ in nil },
        isStopped: @escaping () -> Bool = { false }
    ) {
        (self.root, self.isStopped) = (root, isStopped)
        (self.admits, self.refusal) = (admits, refusal)
    }

    /// Scans a folder with all that is below it.
    ///
    /// - Parameters:
    ///   - folder: From the root on, without `.` and `..`; empty for the root itself.
    ///   - found: Called for each finding, in no order but that a folder comes before what is in it.
    /// - Returns: Counts; without `isWhole` nothing has gone that was not found.
    public func run(
        below folder: String = "", found: (ScanFinding) -> Void
    ) -> ScanResult {
        withoutActuallyEscaping(found) { found in
            var walk = ScanWalk(self, found: found)
            walk.run(below: folder)
            return walk.result
        }
    }
}
