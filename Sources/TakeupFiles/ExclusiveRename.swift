internal import CTakeupLinux
internal import Foundation

/// Linux's renames that replace nothing.
public enum ExclusiveRename {
    /// Renames a file unless the new name is taken.
    ///
    /// - Returns: 0 when it is done, else an errno: `EEXIST` for a taken name, `ENOSYS` or `EINVAL` where kernel
    ///   or file system cannot do it.
    public static func move(_ path: String, to target: String) -> Int32 {
        takeup_rename_exclusively(AT_FDCWD, path, AT_FDCWD, target)
    }

    /// The same for names in open folders.
    public static func move(
        _ name: String, in folder: Int32, to target: String, in targetFolder: Int32
    ) -> Int32 {
        takeup_rename_exclusively(folder, name, targetFolder, target)
    }

    /// Lets two names change places, in one step.
    ///
    /// - Returns: 0 when it is done, else an errno: `ENOENT` when either leads nowhere, `ENOSYS` or `EINVAL` where
    ///   kernel or file system cannot do it.
    public static func exchange(_ path: String, _ target: String) -> Int32 {
        takeup_rename_exchanging(AT_FDCWD, path, target)
    }
}
