internal import TakeupFiles

/// A folder whose media files are jobs, its tree mirrored under the output folder.
struct SourceFolder {
    private let root: String
    private let options: BatchOptions

    init(_ root: String, options: BatchOptions) {
        (self.root, self.options) = (root, options)
    }

    /// The jobs of its files, and what became none.
    func jobs(
        _ faults: inout FaultList
    ) throws(BatchListError) -> (jobs: [PlannedJob], skipped: [BatchList.Skipped]) {
        let walk = try FolderWalk(root, except: options.outputFolder)
        guard walk.files.count <= BatchList.mostJobs else {
            faults.add(
                BatchFault(
                    line: nil, reason: "the folder holds more than \(BatchList.mostJobs) files"))
            return ([], [])
        }
        var builder = SpecBuilder(options, folder: root)
        return (walk.files.map { builder.job(draft($0), &faults) }, walk.skipped)
    }

    /// A job for one file, whose output goes where the file lies in the tree.
    private func draft(_ file: String) -> JobDraft {
        var draft = JobDraft(plain: "\(root)/\(file)", line: nil)
        if let folder = options.outputFolder {
            let below = Folder.hasSlash(file) ? "\(ListPath.folder(of: file))/" : ""
            draft.fields[.output] = JSONElement(value: .text("\(folder)/\(below)"), line: nil)
        }
        return draft
    }
}
