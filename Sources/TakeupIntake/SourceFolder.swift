/// A folder whose media files are jobs, its tree mirrored under the output folder.
struct SourceFolder {
    private let root: String
    private let options: BatchOptions

    init(_ root: String, options: BatchOptions) {
        (self.root, self.options) = (root, options)
    }

    func list() throws(BatchListError) -> BatchList {
        let walk = try FolderWalk(root, except: options.outputFolder)
        var faults = FaultList()
        guard walk.files.count <= BatchList.mostJobs else {
            faults.add(
                BatchFault(
                    line: nil, reason: "the folder holds more than \(BatchList.mostJobs) files"))
            throw .invalid(root, faults: faults.sorted, more: 0)
        }
        var builder = SpecBuilder(options, folder: root)
        var jobs = walk.files.map { builder.job(draft($0), &faults) }
        OutputNaming.settle(&jobs, &faults)
        guard faults.isEmpty else {
            throw .invalid(root, faults: faults.sorted, more: faults.more)
        }
        return BatchList(jobs: jobs.map(\.spec), skipped: walk.skipped)
    }

    /// A job for one file, whose output goes where the file lies in the tree.
    private func draft(_ file: String) -> JobDraft {
        var draft = JobDraft(line: nil)
        draft.fields[.source] = JSONElement(value: .text("\(root)/\(file)"), line: nil)
        if let folder = options.outputFolder {
            let below = file.contains("/") ? "\(ListPath.folder(of: file))/" : ""
            draft.fields[.output] = JSONElement(value: .text("\(folder)/\(below)"), line: nil)
        }
        return draft
    }
}
