import Foundation
import TakeupFiles
import TakeupModel

/// The folder of an output, made where it is missing.
struct OutputFolder {
    /// What was made, from the outside in.
    private let made: [String]

    /// Makes the folder that `path` is to be in.
    init(of path: String) throws(Failure) {
        var missing: [String] = []
        var folder = Self.parent(path)
        while !folder.isEmpty, access(folder, F_OK) != 0 {
            missing.insert(folder, at: 0)
            folder = Self.parent(folder)
        }
        var made: [String] = []
        for folder in missing {
            if mkdir(folder, 0o777) == 0 {
                made.append(folder)
            } else if errno != EEXIST {
                let reason = String(cString: strerror(errno))
                Self.removeEmpty(made)
                throw Failure(
                    exitCode: .outputNotCreated, code: "outputNotCreated", stage: "publish",
                    message: "cannot make the folder \(folder): \(reason)",
                    hint: "check the path and the permissions of the folder above it")
            }
        }
        self.made = made
    }

    /// Removes the folders that this value made, if they are empty.
    func removeEmpty() { Self.removeEmpty(made) }

    private static func removeEmpty(_ made: [String]) {
        for folder in made.reversed() where rmdir(folder) != 0 { return }
    }

    /// The folder above, without a slash at its end; empty for the current folder and the root.
    private static func parent(_ path: String) -> String {
        let parts = Folder.names(of: path).dropLast()
        guard !parts.isEmpty else { return "" }
        return (Folder.isAbsolute(path) ? "/" : "") + parts.joined(separator: "/")
    }
}
