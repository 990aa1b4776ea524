internal import CTakeupLinux

/// What a folder's file system is, as far as a database's locks, or events about changes, depend on it.
public enum FileSystemKind {
    /// The kinds on which another machine may hold the same file.
    ///
    /// - Note: Source: Linux, `include/uapi/linux/magic.h`, and `fs/{smb,9p,ceph}`.
    private static let magics: [UInt32: String] = [
        0x6969: "NFS", 0xFF53_4D42: "CIFS", 0xFE53_4D42: "SMB", 0x517B: "SMB",
        0x0102_1997: "9P", 0x00C3_6400: "Ceph", 0x5346_414F: "AFS", 0x6B41_4653: "AFS",
    ]

    /// The other kinds whose files can change without this system seeing it: beneath a stacked one, behind a program's,
    /// on another machine of a cluster, or by the host of a virtual machine.
    ///
    /// - Note: Source: Linux, `include/uapi/linux/magic.h`, `fs/fuse/inode.c`, `fs/vboxsf/super.c`; GNU coreutils,
    ///   `src/stat.c`, for what it marks as remote because `inotify` is silent on it.
    private static let silentMagics: [UInt32: String] = [
        0x6573_5546: "FUSE", 0x794C_7630: "overlayfs", 0xF15F: "eCryptfs", 0x6175_6673: "aufs",
        0x7461_636F: "OCFS2", 0x0116_1970: "GFS2", 0x0BD0_0BD0: "Lustre", 0x4750_4653: "GPFS",
        0x1983_0326: "BeeGFS", 0xAAD7_AAEA: "PanFS", 0x7375_7245: "Coda", 0x786F_4256: "vboxsf",
        0xBACB_ACBC: "vmhgfs", 0x7C7C_6673: "prl_fs",
    ]

    /// - Returns: The name of a network file system; nil for a local one, and when it cannot be told.
    public static func network(_ folder: String) -> String? {
        magics[takeup_file_system_magic(folder.isEmpty ? "/" : folder)]
    }

    /// - Returns: The name of a file system, network ones aside, that can change without events; nil for any other.
    public static func withoutEvents(_ folder: String) -> String? {
        silentMagics[takeup_file_system_magic(folder.isEmpty ? "/" : folder)]
    }
}
