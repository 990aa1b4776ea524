internal import Foundation
internal import TakeupLanes

/// Keeps the files open that were read last, and lets the others be closed.
///
/// A file that is being read stays open until the read ends.
public final class OpenFiles: Sendable {
    /// More than the tracks that one export reads at the same time.
    public static let standard = 64

    /// One open file, closed when nobody reads it any more.
    final class Held: Sendable {
        let descriptor: Int32

        init(owning descriptor: Int32) { self.descriptor = descriptor }

        deinit { close(descriptor) }
    }

    private let most: Int
    /// The file read last comes last.
    private let held = Locked<[(owner: ObjectIdentifier, file: Held)]>([])

    /// - Parameter most: Files that are open at once, at least 1, besides those that are being read.
    public init(_ most: Int = OpenFiles.standard) {
        precondition(most > 0, "a limit of no files opens none")
        self.most = most
    }

    /// Number of files that are kept open.
    package var count: Int { held.withLock { $0.count } }

    func find(_ owner: ObjectIdentifier) -> Held? {
        held.withLock { held in
            guard let place = held.lastIndex(where: { $0.owner == owner }) else { return nil }
            let found = held.remove(at: place)
            held.append(found)
            return found.file
        }
    }

    func keep(_ file: Held, for owner: ObjectIdentifier) {
        held.withLock { held in
            held.append((owner, file))
            if held.count > most { held.removeFirst() }
        }
    }

    func forget(_ owner: ObjectIdentifier) {
        held.withLock { held in held.removeAll { $0.owner == owner } }
    }
}
