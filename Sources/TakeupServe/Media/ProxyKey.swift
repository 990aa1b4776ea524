internal import Foundation
internal import TakeupDigest
package import TakeupModel

/// The secret that proxy addresses are signed with: a file of 32 random bytes in the home folder.
package struct ProxyKey: Sendable {
    static let fileName = "serve.key"
    static let byteCount = 32

    private let key: HMACSHA256.Key

    package init(bytes: [UInt8]) { key = HMACSHA256.Key(bytes) }

    /// Reads the key of a home, and makes it where there is none.
    package static func open(home: String) throws(Failure) -> ProxyKey {
        let path = "\(home)/\(fileName)"
        if let key = try read(path) { return key }
        try make(path, in: home)
        if let key = try read(path) { return key }
        throw unusable(path, "it went away while it was made")
    }

    /// - Returns: nil where there is no such file.
    private static func read(_ path: String) throws(Failure) -> ProxyKey? {
        let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw unusable(path, errno == ELOOP ? "it is a link" : String(cString: strerror(errno)))
        }
        defer { close(descriptor) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            throw unusable(path, "it is no file")
        }
        guard facts.st_uid == geteuid() else { throw unusable(path, "it belongs to another user") }
        guard facts.st_mode & 0o077 == 0 else {
            throw unusable(path, "other users may read or change it")
        }
        var bytes = [UInt8](repeating: 0, count: byteCount + 1)
        let count = Foundation.read(descriptor, &bytes, bytes.count)
        guard count == byteCount else { throw unusable(path, "it does not hold 32 bytes") }
        return ProxyKey(bytes: Array(bytes.prefix(byteCount)))
    }

    /// Makes a key under another name first: nobody ever reads half of one, and the first of two makers wins.
    private static func make(_ path: String, in home: String) throws(Failure) {
        var random = SystemRandomNumberGenerator()
        let bytes = (0..<byteCount).map { _ in UInt8.random(in: 0 ... .max, using: &random) }
        let draft = "\(path).\(getpid()).\(UInt64.random(in: 0 ... .max, using: &random))"
        let descriptor = Foundation.open(
            draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw unusable(path, String(cString: strerror(errno))) }
        defer {
            close(descriptor)
            unlink(draft)
        }
        guard write(descriptor, bytes, byteCount) == byteCount, fsync(descriptor) == 0,
            link(draft, path) == 0 || errno == EEXIST
        else { throw unusable(path, String(cString: strerror(errno))) }
        let folder = Foundation.open(home, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if folder >= 0 {
            fsync(folder)
            close(folder)
        }
    }

    private static func unusable(_ path: String, _ reason: String) -> Failure {
        Failure(
            exitCode: .configuration, code: "proxyKeyUnusable", stage: "request",
            message: "cannot use the key of proxy addresses \(path): \(reason)",
            hint: "remove the file to have another key made; addresses signed before end then")
    }

    /// Signs bytes.
    ///
    /// - Returns: 32 bytes.
    func signature(of payload: [UInt8]) -> [UInt8] { key.code(of: payload) }

    /// Compares a signature in a time that says nothing of where it differs.
    func verifies(_ signature: [UInt8], of payload: [UInt8]) -> Bool {
        let own = self.signature(of: payload)
        guard own.count == Self.byteCount, signature.count == own.count else { return false }
        return zip(own, signature).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
