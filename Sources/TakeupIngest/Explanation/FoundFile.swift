internal import Foundation
internal import TakeupFiles
package import TakeupWatch

/// What is found where a watched file is looked for.
package enum FoundFile: Equatable, Sendable {
    case file(FileMark)
    case nothing
    /// What is never taken; for people.
    case passedOver(String)
    /// It cannot be known what is there.
    case hidden(errno: Int32)

    /// Looks at the disk; no link below the watched folder is followed.
    package init(at place: WatchedPath) {
        let found = AnchoredPath.open(place.path, below: place.folder, AnchoredPath.placeOnly)
        var facts = stat()
        guard found >= 0, fstat(found, &facts) == 0 else {
            self = Self.absence(errno)
            if found >= 0 { close(found) }
            return
        }
        close(found)
        if let reason = Self.reason(facts.st_mode & S_IFMT) {
            self = .passedOver(reason)
        } else {
            let mark = (try? FileMark.of(place.path, below: place.folder)) ?? nil
            self = mark.map { .file($0) } ?? .nothing
        }
    }

    private static func absence(_ errno: Int32) -> FoundFile {
        switch errno {
        case ENOENT, ENOTDIR: .nothing
        case ELOOP: .passedOver("a folder on the way to it is a symbolic link")
        default: .hidden(errno: errno)
        }
    }

    /// nil for a regular file.
    private static func reason(_ kind: mode_t) -> String? {
        let other: TakeupWatch.PassedOver
        switch kind {
        case S_IFREG: return nil
        case S_IFDIR: return "it is a folder: name a file in it"
        case S_IFLNK: other = .link
        case S_IFIFO: other = .pipe
        case S_IFSOCK: other = .socket
        default: other = .device
        }
        return "it is \(other.reason)"
    }

    /// nil for what is no regular file.
    package var mark: FileMark? {
        if case .file(let mark) = self { mark } else { nil }
    }

    /// Why it is not taken, as far as that is seen without opening it; nil for a regular file.
    package var obstacle: ExplanationPoint? {
        switch self {
        case .file: nil
        case .nothing:
            ExplanationPoint(
                question: "file", answer: "there is no such regular file", isObstacle: true)
        case .passedOver(let reason):
            ExplanationPoint(
                question: "file", answer: "passed over: \(reason)", isObstacle: true)
        case .hidden(let errno):
            ExplanationPoint(
                question: "file",
                answer: "cannot be looked at: \(String(cString: strerror(errno)))",
                isObstacle: true)
        }
    }
}
