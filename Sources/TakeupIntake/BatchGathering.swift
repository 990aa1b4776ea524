import Foundation
import TakeupJobs
internal import TakeupModel

/// Makes one list of everything that a command line names.
struct BatchGathering {
    private static let standardInput = "standard input"

    private let options: BatchOptions
    private let folder: String
    /// For files and addresses; it reads the preset once.
    private var builder: SpecBuilder
    private var jobs: [PlannedJob] = []
    private var skipped: [BatchList.Skipped] = []
    private var faults = FaultList()
    /// Files and folders that were taken, by their paths.
    private var taken: Set<String> = []
    /// Inputs whose faults may be among `faults`.
    private var names: [String] = []
    private var patterns: [(text: String, pattern: GlobPattern)] = []

    init(_ options: BatchOptions, folder: String) {
        (self.options, self.folder) = (options, ListPath.absolute(folder, from: "/"))
        builder = SpecBuilder(options, folder: self.folder)
    }

    mutating func add(_ input: BatchInput) throws(BatchListError) {
        // Lines of two lists would be taken for those of one.
        if !faults.isEmpty { throw invalid }
        switch input {
        case .text(let bytes, let endsWithNull):
            names.append(Self.standardInput)
            let format = endsWithNull ? .nullPaths : ListFormat(guessing: bytes)
            read(bytes, as: format, from: folder)
        case .place(let text): try add(place: text)
        }
    }

    /// Settles the names of all outputs.
    func list() throws(BatchListError) -> BatchList {
        if names.count > 1, !faults.isEmpty { throw invalid }
        var (jobs, faults) = (jobs, faults)
        if jobs.count > BatchList.mostJobs {
            faults.add(
                BatchFault(line: nil, reason: "there are more than \(BatchList.mostJobs) jobs"))
        }
        OutputNaming.settle(&jobs, &faults)
        guard faults.isEmpty else {
            let name = names.count == 1 ? names[0] : "the batch"
            throw .invalid(name, faults: faults.sorted, more: faults.more)
        }
        try refuseOwnOutputs(jobs)
        return BatchList(jobs: jobs.map(\.spec), skipped: skipped + jobs.flatMap(\.omitted))
    }

    /// Refuses patterns that would take what they made for sources when they are used again.
    private func refuseOwnOutputs(_ jobs: [PlannedJob]) throws(BatchListError) {
        for (text, pattern) in patterns {
            let outputs = jobs.lazy.compactMap(\.spec.request.output)
            guard let output = outputs.first(where: { pattern.takes($0, from: folder) }) else {
                continue
            }
            throw .unfit(
                text, reason: "the output \(output) would be a source when it is used again",
                hint: "write to another folder, such as one below the sources")
        }
    }

    private var invalid: BatchListError {
        .invalid(names.last ?? "", faults: faults.sorted, more: faults.more)
    }

    private mutating func add(place text: String) throws(BatchListError) {
        guard !text.contains("://") else {
            // What has another scheme is refused there, and may hold secrets.
            let name = SourceText.isAddress(text) ? SourceText.shown(text) : "an address"
            return addPlain(text, name: name)
        }
        let path = ListPath.absolute(text, from: folder)
        do throws(BatchListError) {
            let isFolder = try ListFile.type(path) == S_IFDIR
            try take(path, isFolder: isFolder)
        } catch {
            // A name that exists goes before a pattern that reads the same.
            guard case .missing = error, GlobPattern.isPattern(text) else { throw error }
            try expand(text)
        }
    }

    private mutating func take(_ path: String, isFolder: Bool) throws(BatchListError) {
        guard taken.insert(ListPath.key(path)).inserted else { return }
        if isFolder {
            names.append(path)
            let found = try SourceFolder(path, options: options).jobs(&faults)
            jobs += found.jobs
            skipped += found.skipped
        } else if let format = ListFormat(name: path) {
            names.append(path)
            read(try ListFile.bytes(path), as: format, from: ListPath.folder(of: path))
        } else {
            addPlain(path, name: path)
        }
    }

    private mutating func expand(_ text: String) throws(BatchListError) {
        guard let pattern = GlobPattern(text, except: options.outputFolder) else {
            throw .unfit(
                text,
                reason: "its braces stand for more than \(GlobPattern.mostAlternatives) patterns",
                hint: "write several patterns")
        }
        patterns.append((text, pattern))
        var (found, count) = (pattern.matches(from: folder), 0)
        for path in found.paths {
            if !faults.isEmpty { throw invalid }
            do throws(BatchListError) {
                let type = try ListFile.type(path)
                // With `**` the files in folders are matches themselves.
                if type == S_IFDIR, text.contains("**") { continue }
                if type != S_IFDIR, let objection = pattern.objection(to: path) {
                    found.skip(path, objection.reason, isExpected: objection.isExpected)
                } else if type != S_IFDIR, type != S_IFREG {
                    found.skip(path, FolderWalk.notRegular)
                } else {
                    try take(path, isFolder: type == S_IFDIR)
                    count += 1
                }
            } catch {
                found.skip(path, FolderWalk.reason(error))
            }
        }
        found.skipped.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        guard count > 0 else { throw .nothingMatches(text, skipped: found.skipped) }
        skipped += found.skipped
    }

    private mutating func addPlain(_ source: String, name: String) {
        names.append(name)
        jobs.append(builder.job(JobDraft(plain: source, line: nil), &faults))
    }

    private mutating func read(_ bytes: [UInt8], as format: ListFormat, from folder: String) {
        var reader = ListReader(
            SpecBuilder(options, folder: folder), mostJobs: BatchList.mostJobs)
        reader.read(bytes, as: format, &faults)
        jobs += reader.jobs
    }
}
