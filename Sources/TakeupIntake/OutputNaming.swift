import TakeupJobs
internal import TakeupModel

/// Gives every job its output and looks for jobs that get in each other's way.
struct OutputNaming {
    /// Outputs that are given away, with the line of the job that has each.
    private var taken: [String: Int?] = [:]
    private var sources: Set<String> = []
    /// The number to try next, by the path that it is a variant of.
    private var numbers: [String: Int] = [:]

    /// Settles the outputs of all jobs of a list; names depend on the list alone, not on the disk.
    static func settle(_ jobs: inout [PlannedJob], _ faults: inout FaultList) {
        var naming = OutputNaming()
        dropRepeats(&jobs)
        checkIDs(jobs, &faults)
        naming.takeGiven(jobs, &faults)
        naming.choose(&jobs)
    }

    /// Chooses the names of outputs that are to be chosen; jobs that get in each other's way are left to the queue.
    static func name(_ jobs: inout [PlannedJob]) {
        var (naming, faults) = (OutputNaming(), FaultList())
        naming.takeGiven(jobs, &faults)
        naming.choose(&jobs)
    }

    /// Keeps one job of those that name the same source alone; one that a list describes stands for them too.
    private static func dropRepeats(_ jobs: inout [PlannedJob]) {
        let described = jobs.filter { $0.isWhole && !$0.isPlain }
        var kept = Set(described.map(\.spec.id))
        jobs = jobs.filter { job in
            !(job.isWhole && job.isPlain) || kept.insert(job.spec.id).inserted
        }
    }

    private static func checkIDs(_ jobs: [PlannedJob], _ faults: inout FaultList) {
        var first: [JobID: Int?] = [:]
        for job in jobs where job.hasOwnID || job.isWhole {
            guard let other = first.updateValue(job.line, forKey: job.spec.id) else { continue }
            let place = other.map { "the one on line \($0)" } ?? "another one"
            let name = QuotedWord(job.spec.id.rawValue)
            faults.add(
                BatchFault(
                    line: job.line, field: JobField.id.rawValue,
                    reason: job.hasOwnID
                        ? "\(name) is also the id of \(place)"
                        : "the job has the source, range and preset of \(place)",
                    hint: job.hasOwnID ? "give each job its own" : "leave it out, or give it an id")
            )
        }
    }

    private mutating func takeGiven(_ jobs: [PlannedJob], _ faults: inout FaultList) {
        for job in jobs {
            let files = job.spec.request.sources.filter {
                !SourceText.isAddress($0) || SourceText.isObject($0)
            }
            sources.formUnion(files.map(ListPath.key))
        }
        for job in jobs where job.spec.request.settings.overwrite != .unique {
            guard let output = job.spec.request.output else { continue }
            let key = ListPath.key(output)
            let field = JobField.output.rawValue
            if sources.contains(key) {
                faults.add(
                    BatchFault(
                        line: job.line, field: field, reason: "is a source of this list",
                        hint: "write to another name"))
            }
            guard let other = taken.updateValue(job.line, forKey: key) else { continue }
            let place = other.map { "the job on line \($0)" } ?? "another job"
            faults.add(
                BatchFault(
                    line: job.line, field: field, reason: "is also the output of \(place)",
                    hint: "give each job its own"))
        }
    }

    /// Names what is to be named: after its stem, or, where several share it, after the whole source.
    private mutating func choose(_ jobs: inout [PlannedJob]) {
        var wanted: [String: Int] = [:]
        // A job with a fault may have no source; the list is refused anyway.
        let whole = jobs.indices.filter { jobs[$0].isWhole }
        for case .chosen(let folder, let stem, let fileExtension) in whole.map({ jobs[$0].naming })
        {
            wanted["\(folder)/\(stem).\(fileExtension)", default: 0] += 1
        }
        for index in whole {
            guard case .chosen(let folder, let stem, let fileExtension) = jobs[index].naming else {
                continue
            }
            var name = stem
            if wanted["\(folder)/\(stem).\(fileExtension)", default: 0] > 1, !jobs[index].hasOwnID {
                name = SourceName.file(of: jobs[index].spec.request.sources[0])
            }
            jobs[index].spec.request.output = free(folder, name, fileExtension)
        }
    }

    /// The first name that neither a job nor a source of the list has.
    private mutating func free(_ folder: String, _ name: String, _ fileExtension: String) -> String
    {
        let start = "\(folder)/\(name).\(fileExtension)"
        while true {
            let number = numbers[start, default: 1]
            numbers[start] = number + 1
            let tail = number == 1 ? "" : "-\(number)"
            let path = ListPath.place("\(name)\(tail).\(fileExtension)", in: folder)
            let key = ListPath.key(path)
            if taken[key] == nil, !sources.contains(key) {
                taken[key] = .some(nil)
                return path
            }
        }
    }
}
