internal import CTakeupLinux

/// What a folder's file system is, as far as a database's locks depend on it.
public enum FileSystemKind {
    /// The kinds on which another machine may hold the same file.
    ///
    /// - Note: Source: Linux, `include/uapi/linux/magic.h`, and `fs/{smb,9p,ceph}`.
    private static let magics: [UInt32: String] = [
        0x6969: "NFS", 0xFF53_4D42: "CIFS", 0xFE53_4D42: "SMB", 0x517B: "SMB",
        0x0102_1997: "9P", 0x00C3_6400: "Ceph", 0x5346_414F: "AFS", 0x6B41_4653: "AFS",
    ]

    /// - Returns: The name of a network file system; nil for a local one, and when it cannot be told.
    public static func network(_ folder: String) -> String? {
        magics[takeup_file_system_magic(folder.isEmpty ? "/" : folder)]
    }
}
