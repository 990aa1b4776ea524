/// Files that are one piece of work, and are taken together or not at all.
public struct FileSet: Sendable, Equatable {
    public enum Kind: Sendable, Equatable {
        case single
        /// Media with sound or subtitles in files of their own.
        case withSideCars
        case sequence(ImageSequence)
        /// The folders of a disc: the principal is a folder.
        case disc
    }

    public let kind: Kind
    /// What the set is known by: the media file, a sequence's first picture, a disc's folder.
    public let principal: String
    /// All names, the principal among them, sorted by their bytes.
    public let members: [String]

    init(_ kind: Kind, principal: String, members: [String]) {
        (self.kind, self.principal) = (kind, principal)
        self.members = members.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// What the clock says of the set by what it says of its members.
    ///
    /// - Returns: `settled` when all are; else to wait for the last one.
    public static func verdict(
        _ verdicts: some Sequence<StabilityClock.Verdict>
    ) -> StabilityClock.Verdict {
        let waits = verdicts.compactMap { verdict -> Double? in
            guard case .waiting(let seconds) = verdict else { return nil }
            return seconds
        }
        return waits.max().map { .waiting(untilSeconds: $0) } ?? .settled
    }
}
