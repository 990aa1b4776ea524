internal import CTakeupFFmpeg

/// Linux's rename that replaces nothing, which the C library does not show to Swift.
///
/// It is here because only this module has C of its own.
public enum ExclusiveRename {
    /// Renames a file unless the new name is taken.
    ///
    /// - Returns: 0 when it is done, else an errno: `EEXIST` for a taken name, `ENOSYS` or `EINVAL` where kernel
    ///   or file system cannot do it.
    public static func move(_ path: String, to target: String) -> Int32 {
        takeup_rename_exclusively(path, target)
    }
}
