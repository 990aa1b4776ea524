internal import Foundation

/// Where the program is that touches media: `takeup-media`.
public enum MediaProgram {
    public static let name = "takeup-media"

    /// Its path: beside the program that is running, else in `../libexec/takeup` from there.
    ///
    /// Where there is neither, the first place, which the error then names.
    public static let path = find(
        from: (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
            ?? "/usr/local/bin/takeup")

    static func find(from program: String) -> String {
        let folder = URL(filePath: program).deletingLastPathComponent()
        let beside = folder.appending(path: name).path
        let apart = folder.deletingLastPathComponent()
            .appending(path: "libexec/takeup/\(name)").path
        if !FileManager.default.isExecutableFile(atPath: beside),
            FileManager.default.isExecutableFile(atPath: apart)
        {
            return apart
        }
        return beside
    }
}
