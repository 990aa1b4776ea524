import Testing

@testable import TakeupFiles

@Suite("File systems")
struct FileSystemKindTests {
    @Test(
        "locks are trusted on local file systems alone",
        arguments: [
            (0x6969, "NFS"), (0xFF53_4D42, "CIFS"), (0x6573_5546, "FUSE"), (0x0116_1970, "GFS2"),
            (0x7461_636F, "OCFS2"), (0x0BD0_0BD0, "Lustre"), (0x4750_4653, "GPFS"),
            (0xEF53, nil), (0x5846_5342, nil), (0x9123_683E, nil), (0x0102_1994, nil),
            (0x794C_7630, nil), (0x2FC1_2FC1, nil), (0, nil),
        ] as [(UInt32, String?)])
    func shared(magic: UInt32, name: String?) {
        #expect(FileSystemKind.shared(magic: magic) == name)
    }

    @Test("a path's disk is named by the folder that it is mounted at")
    func mountPoint() {
        #expect(FreeSpace.mountPoint(of: "/") == "/")
        #expect(FreeSpace.mountPoint(of: "/proc/sys/kernel") == "/proc")
        #expect(FreeSpace.mountPoint(of: "/none/of/this") == "/none/of/this")
    }
}
