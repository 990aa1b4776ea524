internal import Foundation

/// A folder that a scan is in, open until all below it is done.
final class ScanLevel {
    let path: String
    let place: FilePlace
    /// Folders in it that are still to be entered.
    var pending: [String] = []
    let stream: OpaquePointer
    private let prefix: String

    /// Owns the descriptor from now on, also when it cannot be read: then this is nil, and `errno` says why.
    init?(_ descriptor: Int32, path: String, place: FilePlace) {
        guard let stream = fdopendir(descriptor) else {
            let reason = errno
            close(descriptor)
            errno = reason
            return nil
        }
        (self.stream, self.path, self.place) = (stream, path, place)
        prefix = path.isEmpty ? "" : path + "/"
    }

    deinit { closedir(stream) }

    var descriptor: Int32 { dirfd(stream) }

    func path(of name: String) -> String { prefix + name }
}
