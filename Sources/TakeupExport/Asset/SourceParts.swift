internal import TakeupFFmpeg
internal import TakeupLanes

/// Divides a source into parts that must be read one after another, each by its own demuxer.
///
/// A demuxer keeps the headers and stream numbers that it finds first, and ignores later ones.
struct SourceParts {
    /// Highest number of parts; more mean a faulty or hostile source.
    static let most = 1000

    let opened: OpenedSource
    /// FFmpeg's name of the container; nil if FFmpeg refuses the whole source because of later
    /// parts.
    let container: String?
    let cancellation: Cancellation

    /// The structure of a source.
    struct Found {
        /// Where each part except the first begins; empty for a source of one piece.
        var seams: [SourceSeam] = []
        /// Length of the bytes after the last part, if they are too many to be searched.
        var tail: Int64 = 0
    }

    /// - Throws: `ExportError` with `.inputUnreadable`, `.unsupported` for too many parts, or
    ///   `.cancelled`.
    func look() throws(ExportError) -> Found {
        let found: Found
        do throws(FFmpegError) {
            found = try find()
        } catch {
            if error.status == .interrupted { throw .cancelled }
            throw .inputUnreadable(opened.name, reason: "\(error.status)")
        }
        guard found.seams.count < Self.most else {
            throw .unsupported(
                opened.name, reason: "it is more than \(Self.most) parts one after another")
        }
        return found
    }

    /// - Throws: The errors of `look`.
    func seams() throws(ExportError) -> [SourceSeam] { try look().seams }

    /// - Returns: The first seams, at most `most`.
    private func find() throws(FFmpegError) -> Found {
        var found = Found()
        if container == "mpegts" {
            found.seams = try TransportSeams(source: opened.source, cancellation: cancellation)
                .find()
            return found
        }
        guard let window = ByteWindow(opened.source, cancellation) else { return found }
        let finder = ContainerSeams(
            window: window, container: container ?? ContainerHead.unopened(window))
        search: while found.seams.count < Self.most {
            if cancellation.isCancelled {
                throw FFmpegError(.read, status: .interrupted, subject: "bytes")
            }
            switch finder.next(after: found.seams.last?.place ?? 0) {
            case .file(let place): found.seams.append(SourceSeam(place: place))
            case .nothing(let tail):
                found.tail = tail
                break search
            }
        }
        if let failure = window.failure { throw failure }
        return found
    }

    /// - Returns: The parts; only the source itself if it has one piece.
    static func divide(_ opened: OpenedSource, at seams: [SourceSeam]) -> [OpenedSource] {
        guard let size = opened.source.byteCount, !seams.isEmpty else { return [opened] }
        let all = [SourceSeam(place: 0)] + seams
        return all.indices.map { index in
            let end = index + 1 < all.count ? all[index + 1].place : size
            return OpenedSource(
                source: SourceSlice(opened.source, from: all[index], to: end),
                name: "\(opened.name) (part \(index + 1) of \(all.count))", limits: opened.limits)
        }
    }
}
