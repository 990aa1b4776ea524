import Foundation
import TestSupport
import Testing

@testable import TakeupFiles

@Suite("Mount table")
struct MountTableTests {
    private static let table = MountTable(
        """
        21 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
        22 21 8:1 /data/in /in rw - ext4 /dev/sda1 rw
        23 21 8:1 /data/in/out /mnt/my\\040out rw - ext4 /dev/sda1 rw
        24 22 8:17 / /in/disk rw - ext4 /dev/sdb1 rw
        25 21 8:17 /out /other rw - ext4 /dev/sdb1 rw
        a line that says nothing
        """)

    @Test("a place is the same by every path that leads there")
    func places() throws {
        let table = Self.table
        #expect(
            table.place(of: "/mnt/my out", mount: 23)
                == DiskPlace(device: "8:1", path: "/data/in/out"))
        #expect(
            table.place(of: "/data/in/out", mount: 21)
                == DiskPlace(device: "8:1", path: "/data/in/out"))
        #expect(
            table.place(of: "/in", mount: 22, adding: ["a", "b"])
                == DiskPlace(device: "8:1", path: "/data/in/a/b"))
        #expect(table.place(of: "/in", mount: 99) == nil)
        #expect(table.place(of: "/in", mount: 23) == nil)
    }

    @Test("a place lies in one around it on the same disk alone")
    func nesting() throws {
        let inbox = DiskPlace(device: "8:1", path: "/data/in")
        #expect(DiskPlace(device: "8:1", path: "/data/in/out").lies(in: inbox))
        #expect(inbox.lies(in: inbox))
        #expect(!DiskPlace(device: "8:1", path: "/data/inner").lies(in: inbox))
        #expect(!DiskPlace(device: "8:2", path: "/data/in/out").lies(in: inbox))
        #expect(inbox.lies(in: DiskPlace(device: "8:1", path: "/")))
    }

    @Test("a folder shows itself and what is mounted below it")
    func shown() throws {
        let folder = try TemporaryDirectory()
        let current = MountTable.current()
        let own = try #require(current.place(of: Folder.resolved(folder.path)))
        #expect(
            current.place(of: "\(Folder.resolved(folder.path))/none/deep")
                == DiskPlace(device: own.device, path: "\(own.path)/none/deep"))
        #expect(Self.table.places(in: "/in").contains(DiskPlace(device: "8:17", path: "/")))
        #expect(!Self.table.places(in: "/in").contains(DiskPlace(device: "8:17", path: "/out")))
    }
}
