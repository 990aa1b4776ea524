internal import TakeupCurl
internal import TakeupDigest

/// Downloads a playlist's pieces in order and appends them to one growing object.
extension Download {
    /// Size limit of a piece, in bytes; a piece is held in memory.
    private static let mostPieceBytes = 64 << 20

    /// Reads the playlist at the session's address and the media playlist that it selects.
    func openPlaylist(_ session: FetchSession) throws(FetchError) {
        session.notePlaylist()
        try session.requireJoining()
        guard let first = try collect(address, nil, address, session) else { return }
        var found = try playlist(first.bytes, first.home)
        var home = first.home
        if case .master(let master) = found {
            let chosen = try choose(master, home)
            guard let media = try collect(chosen, nil, home, session) else { return }
            (found, home) = (try playlist(media.bytes, media.home), media.home)
        } else if !settings.pictureLimit.isNone {
            session.noteOneSize()
            throw .unsupported("a size of a playlist that has one", address: home.redacted)
        }
        guard case .media(let media) = found else {
            throw .unsupported("a master playlist in another", address: home.redacted)
        }
        var opened = try PlaylistPieces(media, at: home)
        guard let facts = try facts(of: opened, session) else { return }
        opened.identify(
            facts, stored: session.file.status.version, settings.judge.tagPolicy, after: pieces)
        try session.adopt(opened.version)
        pieces = opened
    }

    private func playlist(
        _ bytes: [UInt8], _ home: WebAddress
    ) throws(FetchError) -> Playlist {
        do throws(PlaylistError) {
            return try PlaylistParser().parse(bytes)
        } catch {
            throw .playlist(error, home.redacted)
        }
    }

    private func choose(
        _ master: MasterPlaylist, _ home: WebAddress
    ) throws(FetchError) -> WebAddress {
        guard let choice = VariantChoice(master, within: settings.pictureLimit) else {
            throw .notMedia("an empty playlist", address: home.redacted)
        }
        if choice.audio?.uri != nil {
            throw .unsupported("a playlist with its sound apart", address: home.redacted)
        }
        return try PlaylistPieces.resolve(choice.variant.uri, home)
    }

    /// Fetches one piece.
    ///
    /// - Returns: `false` if no reader wants more.
    func stepPlaylist(_ session: FetchSession) throws(FetchError) -> Bool {
        if takeOfferedWhenRefused(session) != nil { pieces?.isStale = true }
        if pieces?.isStale == true { try beginPlaylist(session) }
        let next = session.file.nextPiece
        guard session.wantsPiece(from: next.start) else { return false }
        guard let here = pieces, !here.isStale else { return true }
        do throws(FetchError) {
            if next.number < here.pieces.count {
                try bring(next, of: here, session)
            } else {
                try end(here, next.start, session)
            }
        } catch {
            pieces?.isStale = true
            try recover(after: error, at: next.number, session)
        }
        return true
    }

    private func bring(
        _ next: PieceSizes.Place, of here: PlaylistPieces, _ session: FetchSession
    ) throws(FetchError) {
        let piece = here.pieces[next.number]
        guard let bytes = try plain(piece, here.home, session) else { return }
        // A byte range of an object may begin with anything.
        if next.number == 0 || piece.bytes == nil { try judge(bytes, here.home) }
        guard try session.append(bytes, as: next) else {
            pieces?.isStale = true
            return try startOver(session)
        }
        _ = noteProgress(session)
        if next.number >= refusedPiece ?? 0 { refusedPiece = nil }
    }

    /// Records the end of the stream, unless the stream was replaced during the download.
    private func end(
        _ here: PlaylistPieces, _ end: Int64, _ session: FetchSession
    ) throws(FetchError) {
        guard let facts = try facts(of: here, session) else { return }
        guard here.facts.contradicts(facts, settings.judge.tagPolicy) else {
            return try session.learnEnd(here.version, end)
        }
        pieces?.isStale = true
        try startOver(session)
    }

    /// Asks the origin for the validators of the witness piece, which stands for all pieces.
    ///
    /// - Returns: nil if no reader wants the stream any more.
    private func facts(
        of here: PlaylistPieces, _ session: FetchSession
    ) throws(FetchError) -> EntityVersion? {
        guard let piece = here.witness else { return EntityVersion() }
        let start = piece.bytes?.lowerBound ?? 0
        let ask = OriginRequest(
            address: piece.address, offset: start, end: start + 1, home: here.home)
        while true {
            let reception = FactsReception(session)
            guard let outcome = try exchange(ask, reception, session)?.get() else { return nil }
            if let version = reception.version { return version }
            switch outcome {
            case .verdict(.atEnd(let length)): return EntityVersion(length: length)
            case .verdict(.retry(let seconds, let cause)): try again(cause, after: seconds, session)
            case .unreachable(let error):
                try again(.unanswered(error), session)
            case .verdict(.refuse(let error)): throw error
            case .stopped: break
            case .body, .verdict: throw .changed(address: piece.address.redacted)
            }
        }
    }

    private func judge(_ bytes: [UInt8], _ home: WebAddress) throws(FetchError) {
        let reason: String
        switch MediaSignature.judge(bytes, contentType: nil) {
        case .refuse(let words): reason = words
        case .media(.playlist): reason = "a playlist in a playlist"
        case .media, .unknown: return
        }
        throw .notMedia(reason, address: home.redacted)
    }

    private func plain(
        _ piece: PlaylistPieces.Piece, _ home: WebAddress, _ session: FetchSession
    ) throws(FetchError) -> [UInt8]? {
        guard let key = piece.key else {
            return try fetch(piece, home, session)
        }
        // Fetch the key first: without the key, the piece would be thrown away.
        guard let secret = try secret(key.address, home, session),
            let found = try fetch(piece, home, session)
        else { return nil }
        do throws(DigestError) {
            let plain = try AES128.decryptCBC(found, key: secret, vector: key.vector)
            if let plain { return plain }
        } catch {
            throw .storage(path: "a key", errno: 12)
        }
        throw .invalidResponse("a piece that its key does not open", address: home.redacted)
    }

    /// Fetches a piece; one that only the close of a connection ends may be cut, and counts once two answers in a row
    /// have the same length.
    private func fetch(
        _ piece: PlaylistPieces.Piece, _ home: WebAddress, _ session: FetchSession
    ) throws(FetchError) -> [UInt8]? {
        guard var found = try collect(piece.address, piece.bytes, home, session) else { return nil }
        var turns = 0
        while found.isOpenEnded {
            let end = found.bytes.count
            do throws(FetchError) {
                guard let next = try collect(piece.address, piece.bytes, home, session) else {
                    return nil
                }
                found = next
            } catch {
                // The address was good for one answer.
                guard case .status = error else { throw error }
                break
            }
            if found.bytes.count == end || !found.isOpenEnded { break }
            let shorter = min(end, found.bytes.count)
            let cut = FetchError.unreachable(
                "cut at byte \(shorter)", address: piece.address.redacted)
            turns += 1
            guard turns < policy.maximumTries else { throw cut }
            try again(cut, session)
        }
        return found.bytes
    }

    /// - Returns: The key; nil if no reader wants it any more.
    private func secret(
        _ address: WebAddress, _ home: WebAddress, _ session: FetchSession
    ) throws(FetchError) -> [UInt8]? {
        if let known = pieces?.keys[address] { return known }
        guard let found = try collect(address, nil, home, session)?.bytes else { return nil }
        guard found.count == AES128.keyBytes else {
            throw .invalidResponse("a key of another size", address: address.redacted)
        }
        pieces?.keys[address] = found
        return found
    }

    /// Fetches a small object completely, with as many requests as needed.
    ///
    /// - Returns: nil if no reader wants the object any more.
    private func collect(
        _ address: WebAddress, _ range: Range<Int64>?, _ home: WebAddress, _ session: FetchSession
    ) throws(FetchError) -> (bytes: [UInt8], home: WebAddress, isOpenEnded: Bool)? {
        let reception = MemoryReception(
            session, address.redacted, range, limitBytes: Self.mostPieceBytes)
        while !reception.isComplete {
            let before = reception.bytes.count
            let ask = OriginRequest(
                address: address, offset: reception.next, end: range?.upperBound,
                version: reception.version, home: home)
            guard let outcome = exchange(ask, reception, session) else { return nil }
            policy.tried(bringing: Int64(max(0, reception.bytes.count - before)))
            switch try outcome.get() {
            case .stopped, .body(.whole), .body(.length), .body(.grown): break
            case .verdict(.atEnd(let length)): reception.learn(end: length)
            case .body(.cut(let offset)):
                try again(.unreachable("cut at byte \(offset)", address: address.redacted), session)
            case .verdict(.retry(let seconds, let cause)): try again(cause, after: seconds, session)
            case .unreachable(let error):
                try again(.unanswered(error), session)
            case .verdict(.refuse(let error)): throw error
            case .verdict: throw .changed(address: address.redacted)
            }
        }
        return (reception.bytes, origin.answered ?? address, reception.isOpenEnded)
    }
}
