public import TakeupJobs

/// Jobs from files, folders, patterns and lists: all of them right, or none.
///
/// Nothing is started, written or opened but the lists themselves and the preset files that they name: a source
/// that a list names and that does not exist is its job's failure later.
public struct BatchList: Sendable, Equatable {
    /// The most jobs of one list.
    public static let mostJobs = 100_000
    /// The most bytes of one list.
    public static let largestFile = 64_000_000
    /// The most bytes of one job in a list.
    public static let longestJob = 1_000_000

    /// Something in a folder that became no job.
    public struct Skipped: Sendable, Equatable {
        /// From the folder on.
        public let path: String
        /// The same words for the same cause, such as `not a media suffix`.
        public let reason: String
        /// Whether nobody would look for it among the jobs: a hidden file, a text, a picture.
        public var isExpected = false
    }

    /// In the list's order, or by path in a folder; ids and outputs differ.
    public let jobs: [JobSpec]
    /// Skipped files of folders and patterns, by path, at most `mostJobs` of each folder or pattern.
    public let skipped: [Skipped]

    /// Takes everything that a command line names.
    ///
    /// What is named twice is one job.
    ///
    /// - Parameters:
    ///   - inputs: In any number and mixture.
    ///   - options: What holds for jobs that do not say otherwise.
    ///   - folder: Where relative paths start; absolute.
    /// - Throws: `BatchListError.invalid` with every fault of the first input at fault that a reader can act on.
    public init(
        _ inputs: [BatchInput], options: BatchOptions, from folder: String
    ) throws(BatchListError) {
        var gathering = BatchGathering(options, folder: folder)
        for input in inputs { try gathering.add(input) }
        self = try gathering.list()
    }

    /// Reads the bytes of a list.
    ///
    /// - Parameters:
    ///   - bytes: At most `largestFile`, from anywhere.
    ///   - format: How they are to be read.
    ///   - name: The list's absolute path; relative paths in it start at its folder.
    ///   - options: What holds for jobs that do not say otherwise.
    /// - Throws: `BatchListError.invalid` alone.
    public init(
        parsing bytes: [UInt8], as format: ListFormat, name: String, options: BatchOptions
    ) throws(BatchListError) {
        let builder = SpecBuilder(options, folder: ListPath.folder(of: name))
        try self.init(
            parsing: bytes, as: format, name: name, by: ListReader(builder, mostJobs: Self.mostJobs)
        )
    }

    init(
        parsing bytes: [UInt8], as format: ListFormat, name: String, by reader: ListReader
    ) throws(BatchListError) {
        var faults = FaultList()
        var reader = reader
        reader.read(bytes, as: format, &faults)
        var planned = reader.jobs
        OutputNaming.settle(&planned, &faults)
        guard faults.isEmpty else {
            throw .invalid(name, faults: faults.sorted, more: faults.more)
        }
        self.init(jobs: planned.map(\.spec), skipped: [])
    }

    init(jobs: [JobSpec], skipped: [Skipped]) {
        (self.jobs, self.skipped) = (jobs, skipped)
    }
}
