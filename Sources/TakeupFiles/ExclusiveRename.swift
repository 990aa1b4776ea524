internal import CTakeupLinux

/// Linux's rename that replaces nothing.
public enum ExclusiveRename {
    /// Renames a file unless the new name is taken.
    ///
    /// - Returns: 0 when it is done, else an errno: `EEXIST` for a taken name, `ENOSYS` or `EINVAL` where kernel
    ///   or file system cannot do it.
    public static func move(_ path: String, to target: String) -> Int32 {
        takeup_rename_exclusively(path, target)
    }
}
