import Foundation
import TakeupFiles
import TakeupIntake
import TakeupModel
import TakeupS3

/// Where an export's file goes.
enum OutputPath {
    static let extensions = ["mp4", "m4v", "m4a"]

    /// Turns what `--output` says into a file's path.
    ///
    /// Inside a folder the file is named after the first source and gets `fileExtension`; where that name is a source
    /// itself it gets a number, as the outputs of jobs do.
    static func resolve(
        _ given: String, inputs: [String], fileExtension: String, in context: CommandContext
    ) throws(Failure) -> String {
        if S3Address.isMeant(by: given) {
            return try object(given, inputs: inputs, fileExtension: fileExtension)
        }
        let path = context.resolve(given)
        if Folder.endsInSlash(given) || isDirectory(path) {
            let folder = Folder.endsInSlash(path) ? path : path + "/"
            let sources = inputs.compactMap(identity)
            let stem = folder + stem(inputs[0])
            let names = (1...).lazy.map { "\(stem)\($0 == 1 ? "" : "-\($0)").\(fileExtension)" }
            return names.first { identity($0).map { !sources.contains($0) } ?? true }
                ?? "\(stem).\(fileExtension)"
        }
        try requireSuffix(given)
        return path
    }

    private static func requireSuffix(_ given: String) throws(Failure) {
        let name = Folder.names(of: given).last ?? given
        let suffix = name.lastIndex(of: ".").map { name[$0...].dropFirst().lowercased() }
        guard let suffix, extensions.contains(suffix) else {
            throw Failure(
                UsageError(
                    "cannot tell from '\(given)' what to write",
                    hint: "let the name end in .mp4, .m4v or, for sound alone, .m4a; that of a"
                        + " folder ends in /",
                    path: ["export"]))
        }
    }

    /// The address of an output in a bucket; below the beginning of keys it is named after the first source.
    private static func object(
        _ given: String, inputs: [String], fileExtension: String
    ) throws(Failure) -> String {
        let place = try bucketPlace(given)
        guard place.key.isEmpty || Folder.endsInSlash(place.key) else {
            try requireSuffix(given)
            return "\(place)"
        }
        let folder = place.key.isEmpty ? "\(place)/" : "\(place)"
        return "\(try bucketPlace("\(folder)\(stem(inputs[0])).\(fileExtension)"))"
    }

    /// Reads a place in a bucket.
    ///
    /// - Throws: With 64 for one that is none.
    static func bucketPlace(_ given: String) throws(Failure) -> S3Address {
        if let place = S3Address(given) { return place }
        throw Failure(
            exitCode: .usage, code: "usage", stage: "request",
            message: "no output can go to \(given.prefix(500))",
            hint: "write s3://BUCKET/KEY, without empty parts or dots alone")
    }

    /// Refuses a place in a bucket for what is written to folders alone.
    static func requireLocal(_ given: String, _ what: String) throws(Failure) {
        guard S3Address.isMeant(by: given) else { return }
        throw Failure(
            exitCode: .usage, code: "outputInBucket", stage: "request",
            message: "\(what) cannot go to a bucket: \(given.prefix(500))",
            hint: "write a file, and copy it")
    }

    /// Refuses an output that is one of the inputs, by whatever name, before anything is opened.
    static func check(_ path: String, isNoneOf inputs: [String]) throws(Failure) {
        guard let output = identity(path) else { return }
        for input in inputs where identity(input) == output {
            throw Failure(
                exitCode: .outputNotCreated, code: "outputIsInput", stage: "publish",
                message: "\(path) is the source itself (\(input)) and was left as it is",
                hint: "write to another name")
        }
    }

    private static func stem(_ path: String) -> String {
        let name = SourceName.file(of: path)
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
        return String(name[..<dot])
    }

    static func isDirectory(_ path: String) -> Bool {
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
            && isDirectory.boolValue
    }

    /// Device and inode behind every link; nil when there is nothing.
    private static func identity(_ path: String) -> [UInt64]? {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return nil }
        return [UInt64(facts.st_dev), UInt64(facts.st_ino)]
    }

    /// When a file's content was changed last, in seconds since 1970; nil when there is none.
    static func modified(_ path: String) -> Double? {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return nil }
        return Double(facts.st_mtim.tv_sec) + Double(facts.st_mtim.tv_nsec) / 1e9
    }

    /// Bytes of a file; nil when there is none.
    static func size(_ path: String) -> Int64? {
        var facts = stat()
        return stat(path, &facts) == 0 ? Int64(facts.st_size) : nil
    }
}
