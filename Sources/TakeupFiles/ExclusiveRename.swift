internal import CTakeupLinux
internal import Foundation

/// Renames that replace nothing, as Linux offers them.
public enum ExclusiveRename {
    /// Renames a file unless the new name is taken.
    ///
    /// - Returns: 0, or an errno: `EEXIST` for a taken name, `ENOSYS` or `EINVAL` if kernel or file
    ///   system do not support it.
    public static func move(_ path: String, to target: String) -> Int32 {
        takeup_rename_exclusively(AT_FDCWD, path, AT_FDCWD, target)
    }

    /// Renames a file in an open folder unless the new name is taken.
    public static func move(
        _ name: String, in folder: Int32, to target: String, in targetFolder: Int32
    ) -> Int32 {
        takeup_rename_exclusively(folder, name, targetFolder, target)
    }

    /// Exchanges two names in one atomic step.
    ///
    /// - Returns: 0, or an errno: `ENOENT` if a name does not exist, `ENOSYS` or `EINVAL` if kernel
    ///   or file system do not support it.
    public static func exchange(_ path: String, _ target: String) -> Int32 {
        takeup_rename_exchanging(AT_FDCWD, path, target)
    }
}
