internal import TakeupCurl
internal import TakeupFiles

/// What is done when the right to an address in a playlist, or to its own, has ended.
extension Download {
    /// Reads the playlist, under another address where the one it has is refused.
    func beginPlaylist(_ session: FetchSession) throws(FetchError) {
        do throws(FetchError) {
            try openPlaylist(session)
        } catch {
            try renew(after: error, session)
        }
    }

    /// Goes on after a piece or a key could not be had: the playlist, once it is read again, may name it anew.
    ///
    /// - Throws: The error, where that does not help.
    func recover(after error: FetchError, _ session: FetchSession) throws(FetchError) {
        if error.isEndOfRight, !isReread {
            isReread = true
        } else {
            try renew(after: error, session)
        }
    }

    private func renew(after error: FetchError, _ session: FetchSession) throws(FetchError) {
        do throws(FetchError) {
            try refresh(after: error, session)
        } catch {
            // It had worked: some of the stream is here.
            guard error.isEndOfRight, !session.file.status.present.isEmpty else { throw error }
            throw .expired(address: session.file.address)
        }
    }
}

extension FetchError {
    /// Whether another address of the same source may help.
    var isEndOfRight: Bool {
        switch self {
        case .expired, .status(401, _), .status(403, _), .status(410, _): true
        default: false
        }
    }
}
