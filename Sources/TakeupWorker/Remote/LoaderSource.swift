internal import Foundation
internal import Synchronization
public import TakeupFetch
internal import TakeupLanes
public import TakeupModel

/// An address that is fetched while it is read, one version of it from beginning to end.
///
/// It stays in the store, and is not evicted, while this object lives.
public final class LoaderSource: Sendable {
    /// The address without its secrets.
    public let name: String
    public let byteCount: Int64?
    let reader: SourceReader
    private let loader: ResourceLoader
    private let information: ContentInformation
    private let total = Atomic<Int64>(0)
    private let firstFailure = Locked<FetchError?>(nil)
    private let failing = Cancellation()

    /// Finds out what is at an address; one that does not tell its length is fetched whole before this returns.
    ///
    /// Blocks: for a lane.
    ///
    /// - Parameters:
    ///   - address: http or https.
    ///   - library: Whose settings it is fetched with.
    ///   - wholeLimits: The limits within which it is fetched whole in any case: reads cannot meet another version
    ///     then. Nil, or no room for it, fetches it while it is read.
    ///   - limit: What its pictures have to fill and no more, where it is a playlist with several sizes.
    ///   - isStopped: Asked a few times a second; once it says so, this ends with `.cancelled`.
    ///   - onProgress: Called while it is fetched whole.
    /// - Throws: Any `FetchError`.
    public init(
        _ address: String, from library: SourceLibrary,
        wholeWithin wholeLimits: SourceLimits? = nil, within limit: PictureLimit = PictureLimit(),
        isStopped: () -> Bool = { false }, onProgress: (LoaderStatus) -> Void = { _ in }
    ) throws(FetchError) {
        loader = try library.open(WantedSource(address, within: limit), isStopped: isStopped)
        name = loader.address
        var found = try loader.information(isStopped: isStopped)
        if found.length == nil || Self.hasRoom(for: loader, in: library, wholeLimits) {
            try loader.waitUntilComplete(isStopped: isStopped, onProgress: onProgress)
            found = try loader.information(isStopped: isStopped)
        }
        guard let length = found.length else { throw .changed(address: loader.address) }
        (information, byteCount) = (found, length)
        reader = loader.reader()
    }

    private static func hasRoom(
        for loader: ResourceLoader, in library: SourceLibrary, _ limits: SourceLimits?
    ) -> Bool {
        guard let limits else { return false }
        let status = loader.status
        let missing = max(0, (status.totalBytes ?? 0) - status.presentBytes)
        return library.store.hasRoom(for: missing, limits, address: loader.address)
    }

    /// Binds all reads to the version that was found, and begins to fetch it; without it, the first read may take
    /// another.
    ///
    /// Blocks until the first byte is there.
    ///
    /// - Throws: Any `FetchError`; `.changed` when the origin holds another version by now.
    public func begin(isStopped: () -> Bool = { false }) throws(FetchError) {
        // Wherever it comes from: a source that is not kept can be read all the same.
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 1, alignment: 1)
        defer { room.deallocate() }
        _ = try reader.read(into: room, at: 0, isStopped: isStopped)
        let now = try loader.information(isStopped: isStopped)
        guard now.version == information.version, now.length == byteCount else {
            throw .changed(address: name)
        }
    }

    /// Bytes that are still to come.
    public var missingBytes: Int64 { max(0, (byteCount ?? 0) - loader.status.presentBytes) }

    /// Lets what is still to come go to who reads, without room on the disk for all of it.
    public func keepNothing() { loader.keepNothing(because: ENOSPC) }

    /// What a result made of it has to tell.
    public var warnings: [ExportWarning] {
        var warnings: [ExportWarning] = []
        if information.isOpenEnded {
            warnings.append(.lengthNotStated(name, bytes: byteCount ?? 0))
        }
        if loader.status.storageFailure != nil {
            warnings.append(
                ExportWarning(
                    code: "sourceNotKept",
                    message: "\(name) is not kept: the cache did not take its bytes"))
        }
        return warnings
    }

    public var bytesRead: Int64 { total.load(ordering: .relaxed) }

    /// Why a read failed first; nil while none has.
    ///
    /// An export only knows that one did.
    public var failure: FetchError? { firstFailure.withLock { $0 } }

    /// Has its bytes fetched again the next time, after an export that could not read them; keeps them where the
    /// origin names its versions reliably.
    ///
    /// Where it does not, they may be of two versions.
    public func distrust() {
        if information.strongVersion == nil { try? loader.remove() }
    }

    /// Ends every read at once, also those to come.
    public func cancel() { reader.cancel() }

    /// Copies bytes from a place on, or waits for the first of them; 0 at the end only.
    ///
    /// - Throws: Any `FetchError`, which `failure` remembers.
    public func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(FetchError) -> Int {
        do throws(FetchError) {
            let count = try reader.read(into: buffer, at: offset)
            total.add(Int64(count), ordering: .relaxed)
            return count
        } catch {
            note(error)
            throw error
        }
    }

    /// Keeps the first failure that is one.
    func note(_ error: FetchError) {
        guard error != .cancelled else { return }
        firstFailure.withLock { if $0 == nil { $0 = error } }
        failing.cancel()
    }

    /// Runs `body` once a read fails, or now if one has: for whoever must not take what is left for the whole.
    ///
    /// - Parameter body: Must return soon, and not hold what holds this source; it runs on the lane that reads.
    public func onFailure(_ body: @escaping @Sendable () -> Void) { failing.onCancel(body) }

    /// What its content is known by, before it is here where the origin names its versions reliably, or else once
    /// it is.
    ///
    /// - Returns: 64 lower-case hexadecimal digits.
    /// - Throws: Any `FetchError`.
    func identity(
        isStopped: () -> Bool, onProgress: (LoaderStatus) -> Void
    ) throws(FetchError) -> String {
        if let version = information.strongVersion {
            return SourceKey(address: "\(loader.key)\n\(version)\n\(byteCount ?? 0)")
                .description
        }
        try loader.waitUntilComplete(isStopped: isStopped, onProgress: onProgress)
        if let digest = try loader.sha256(isStopped: isStopped) { return digest }
        // A block that turned out to be wrong is fetched anew by the next try.
        throw isStopped() ? .cancelled : .storage(path: name, errno: EIO)
    }

    /// The file that fills, open for reading alone; the caller's to close.
    func readOnlyDescriptor() throws(FetchError) -> Int32 {
        let own = try reader.descriptor()
        defer { close(own) }
        let path = "/proc/self/fd/\(own)"
        let opened = Foundation.open(path, O_RDONLY | O_CLOEXEC)
        guard opened >= 0 else { throw .storage(path: name, errno: errno) }
        return opened
    }
}
