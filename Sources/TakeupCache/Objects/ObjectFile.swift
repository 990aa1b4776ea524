internal import Foundation
internal import TakeupFiles

/// A file of the cache that is held: nobody evicts it before this object goes.
public final class ObjectFile: Sendable {
    /// Open for reading; closed with this object.
    public let descriptor: Int32
    public let object: ObjectName
    /// Its path, for those who open it by name.
    public let path: String
    public let bytes: Int64

    /// Takes over a descriptor; a store that locks its files has locked it.
    ///
    /// - Parameters:
    ///   - descriptor: Open for reading.
    ///   - object: Its name.
    ///   - path: Where it can be opened by name.
    ///   - bytes: Its size.
    public init(_ descriptor: Int32, object: ObjectName, path: String, bytes: Int64) {
        (self.descriptor, self.object) = (descriptor, object)
        (self.path, self.bytes) = (path, bytes)
    }

    deinit {
        FileLock.release(descriptor)
        close(descriptor)
    }
}
