internal import CTakeupLinux

/// The kind of a folder's file system, as far as database locks and change events depend on it.
public enum FileSystemKind {
    /// File systems on which another machine may hold the same file.
    ///
    /// - Note: Source: Linux, `include/uapi/linux/magic.h`, and `fs/{smb,9p,ceph}`.
    private static let magics: [UInt32: String] = [
        0x6969: "NFS", 0xFF53_4D42: "CIFS", 0xFE53_4D42: "SMB", 0x517B: "SMB",
        0x0102_1997: "9P", 0x00C3_6400: "Ceph", 0x5346_414F: "AFS", 0x6B41_4653: "AFS",
    ]

    /// Other file systems with files that somebody else may hold despite local locks.
    ///
    /// The other holder may be a machine of a cluster, a FUSE program, or the host of a virtual
    /// machine.
    ///
    /// - Note: Source: Linux, `include/uapi/linux/magic.h`, `fs/fuse/inode.c`, `fs/vboxsf/super.c`;
    ///   GNU coreutils, `src/stat.c`, for what it marks as remote because `inotify` is silent on
    ///   it.
    private static let sharedMagics: [UInt32: String] = [
        0x6573_5546: "FUSE", 0x7461_636F: "OCFS2", 0x0116_1970: "GFS2", 0x0BD0_0BD0: "Lustre",
        0x4750_4653: "GPFS", 0x1983_0326: "BeeGFS", 0xAAD7_AAEA: "PanFS", 0x7375_7245: "Coda",
        0x786F_4256: "vboxsf", 0xBACB_ACBC: "vmhgfs", 0x7C7C_6673: "prl_fs",
    ]

    /// Stacked file systems: files in the lower one can change without events.
    private static let stackedMagics: [UInt32: String] = [
        0x794C_7630: "overlayfs", 0xF15F: "eCryptfs", 0x6175_6673: "aufs",
    ]

    /// - Returns: The name of a network file system; nil for a local or unknown one.
    public static func network(_ folder: String) -> String? {
        magics[magic(folder)]
    }

    /// - Returns: The name of a file system, network ones included, on which locks do not reveal
    ///   other holders of a file; nil for others and unknown ones.
    public static func shared(_ folder: String) -> String? { shared(magic: magic(folder)) }

    static func shared(magic: UInt32) -> String? { magics[magic] ?? sharedMagics[magic] }

    /// - Returns: The name of a file system that can change without events, except network ones;
    ///   nil for any other.
    public static func withoutEvents(_ folder: String) -> String? {
        let magic = magic(folder)
        return sharedMagics[magic] ?? stackedMagics[magic]
    }

    private static func magic(_ folder: String) -> UInt32 {
        takeup_file_system_magic(folder.isEmpty ? "/" : folder)
    }
}
