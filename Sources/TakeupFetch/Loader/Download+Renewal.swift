internal import TakeupCurl
internal import TakeupFiles

/// Renews expired addresses: those in a playlist and the playlist's own address.
extension Download {
    /// Reads the playlist, at another address if its current one is refused.
    func beginPlaylist(_ session: FetchSession) throws(FetchError) {
        do throws(FetchError) {
            try openPlaylist(session)
        } catch {
            try renew(after: error, session)
        }
    }

    /// Recovers after a piece or a key could not be fetched, by reading the playlist again for new
    /// addresses; once, until that piece is here.
    ///
    /// - Throws: The same error if this cannot help.
    func recover(
        after error: FetchError, at piece: Int, _ session: FetchSession
    ) throws(FetchError) {
        if error.mayPass || error.isEndOfRight, refusedPiece == nil {
            refusedPiece = piece
        } else {
            try renew(after: error, session)
        }
    }

    private func renew(after error: FetchError, _ session: FetchSession) throws(FetchError) {
        do throws(FetchError) {
            try refresh(after: error, session)
        } catch {
            // The address worked before, because some of the stream is stored.
            guard error.isEndOfRight, !session.file.status.present.isEmpty else { throw error }
            throw .expired(address: session.file.address)
        }
    }
}

extension FetchError {
    /// Whether it may be a page of an origin in trouble, if bytes of the media came from there before.
    var mayPass: Bool { if case .notMedia = self { true } else { false } }

    /// Whether another address of the same source may help.
    var isEndOfRight: Bool {
        switch self {
        case .expired, .status(401, _), .status(403, _), .status(410, _): true
        default: false
        }
    }
}
