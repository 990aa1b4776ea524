import Foundation
internal import TakeupFiles
import TakeupJobs

/// Paths as lists write them.
enum ListPath {
    /// From the root, without empty and `.` parts; `..` stays, for it may lie behind a link.
    static func absolute(_ path: String, from folder: String) -> String {
        SourceText.absolute(path, from: folder)
    }

    /// A name in a folder, or below the beginning of keys in a bucket.
    static func place(_ name: String, in folder: String) -> String {
        SourceText.isObject(folder) ? "\(folder)/\(name)" : absolute(name, from: folder)
    }

    /// The folder that a path lies in.
    static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash != path.startIndex
        else { return "/" }
        return String(path[..<slash])
    }

    static func name(of path: String) -> String {
        Folder.names(of: path).last ?? path
    }

    /// A file's name and what stands behind its last dot, which may be empty.
    static func split(_ name: String) -> (stem: String, suffix: String) {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else {
            return (name, "")
        }
        return (String(name[..<dot]), String(name[name.utf8.index(after: dot)...]))
    }

    /// The same for paths that look different but name one file, as far as names can tell.
    static func key(_ path: String) -> String {
        var parts: [String] = []
        for part in Folder.names(of: path) {
            if part == ".." {
                _ = parts.popLast()
            } else if part != "." {
                parts.append(part)
            }
        }
        return "/" + parts.joined(separator: "/")
    }

    /// Why no file can have this path; nil when one can.
    static func fault(_ path: String) -> String? {
        if path.isEmpty { return "is empty" }
        if path.utf8.contains(0) { return "holds a zero byte" }
        return path.utf8.count > JobSpec.longestPath
            ? "is longer than \(JobSpec.longestPath) bytes" : nil
    }

    /// The process's own folder.
    static var current: String { FileManager.default.currentDirectoryPath }
}
