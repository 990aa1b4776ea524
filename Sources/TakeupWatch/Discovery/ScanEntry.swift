/// A name that a scan has come to, before anything is known but whether it is a folder's.
public struct ScanEntry: Sendable {
    /// From the root on.
    public let path: String
    /// The path's last name.
    public let name: String
    public let isFolder: Bool

    public init(path: String, name: String, isFolder: Bool) {
        (self.path, self.name, self.isFolder) = (path, name, isFolder)
    }
}
