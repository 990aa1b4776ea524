internal import TakeupDigest
internal import TakeupHTTP
internal import TakeupLanes
internal import TakeupModel

/// Takes the body of a request into an upload as it arrives.
final class UploadReceiver: BodyReceiver {
    /// What the bytes of one request have to be.
    struct Checksum: Sendable {
        let algorithm: DigestAlgorithm
        /// In lower-case hexadecimal.
        let digits: String
    }

    /// How the request is answered.
    struct Style: Sendable {
        /// Whether the upload has all its bytes when the request ends.
        var isSingle = false
        /// Whether an upload whose request fails or breaks off is removed: nobody knows its id.
        var isNew = false
        var checksum: Checksum?
        /// Makes the response from what is there then.
        var respond: @Sendable (StoredUpload) -> HTTPResponse
    }

    private struct State {
        var turn = 0
        var digest: RunningDigest?
    }

    private let id: String
    private let name: String
    private let store: UploadStore
    private let session: UploadSession
    private let offset: Int64
    private let style: Style
    private let request: HTTPRequest
    private let state: Locked<State>

    /// - Parameters:
    ///   - id: Of the upload.
    ///   - offset: Where the request goes on.
    ///   - store: Where it is.
    ///   - request: For the ids of problems.
    ///   - style: How the request is answered.
    /// - Throws: As `UploadSession.begin`.
    init(
        _ id: String, at offset: Int64, in store: UploadStore, _ request: HTTPRequest,
        _ style: Style
    ) throws(Refusal) {
        (self.id, self.offset, self.store) = (id, offset, store)
        (self.request, self.style) = (request, style)
        guard let stored = try store.find(id) else { throw .noUpload(id) }
        (name, session) = (stored.upload.name, store.session(of: id))
        let digest = style.checksum.flatMap { RunningDigest($0.algorithm) }
        let turn = try session.begin(id, at: offset, isHeld: digest != nil, isNew: style.isNew)
        state = Locked(State(turn: turn, digest: digest))
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> HTTPResponse? {
        do throws(Refusal) {
            let turn = state.withLock { $0.turn }
            try session.write(bytes, turn: turn)
            state.withLock { $0.digest?.update(bytes) }
            return nil
        } catch {
            cancel()
            return error.response(to: request)
        }
    }

    func finish() -> HTTPResponse {
        do throws(Refusal) {
            let turn = state.withLock { $0.turn }
            if let checksum = style.checksum {
                let found = state.withLock { state -> String? in
                    defer { state.digest = nil }
                    return state.digest?.finish()
                }
                guard found == checksum.digits else {
                    session.takeBack(to: offset, turn: turn)
                    giveUp()
                    return mismatch
                }
            }
            let stored = try session.end(turn: turn, isWhole: style.isSingle)
            if stored.upload.isComplete { store.end(id) }
            return style.respond(stored)
        } catch {
            giveUp()
            return error.response(to: request)
        }
    }

    func cancel() {
        let turn = state.withLock { $0.turn }
        // Bytes that were to be compared and cannot be are not kept.
        if style.checksum != nil { session.takeBack(to: offset, turn: turn) }
        giveUp()
    }

    private func giveUp() {
        guard !style.isNew else { return store.removeRefused(id, name) }
        session.breakOff(turn: state.withLock { $0.turn })
        // What cannot be read now stays, and expires.
        if let stored = try? store.find(id), stored.upload.isComplete { store.end(id) }
    }

    /// - Note: Source: tus 1.0.0, checksum: 460.
    private var mismatch: HTTPResponse {
        Refusal(
            460,
            .request(
                "checksumWrong", "the bytes are not those of the checksum that came with them",
                hint: "send them again from the same offset",
                Failure.Ending(.temporary, .retry))
        ).response(to: request)
    }
}
