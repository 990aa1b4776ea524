internal import Foundation
internal import TakeupIntake
package import TakeupModel

private struct UploadDocument: Decodable {
    var id: String
    var source: String
    var name: String?
    var length: UInt64?
    var offset: UInt64?
    var complete: Bool?
    var sha256: String?
}

private struct UploadsDocument: Decodable {
    var uploads: [UploadDocument]
}

extension ServerClient {
    /// Bytes of one request: as many are sent again at most after a break.
    private static let pieceBytes = 8 << 20
    /// Tries in a row that bring nothing.
    private static let tries = 5
    private static let tus = (name: "Tus-Resumable", value: "1.0.0")

    /// Sends a file, and goes on where it was after a break, also one of the command before.
    ///
    /// - Parameters:
    ///   - path: Of the file.
    ///   - resumed: Told how many bytes the server has already, where it has some.
    ///   - isCancelled: Polled between pieces.
    /// - Returns: What a job of the server calls it as a source; nil when it was cancelled.
    /// - Throws: With 66 for a file that cannot be read.
    /// - Note: Source: tus 1.0.0.
    package func upload(
        _ path: String, resumed: (UInt64) -> Void = { _ in }, isCancelled: () -> Bool
    ) throws(Failure) -> String? {
        let file = try UploadedFile(path)
        if let begun = unfinished(file), let offset = begun.offset {
            resumed(offset)
            guard try send(file, from: offset, of: begun.id, isCancelled) else { return nil }
            // What is sent last proves nothing about what somebody has sent before.
            if try isWhole(begun.id, file, isCancelled) { return begun.source }
            if isCancelled() { return nil }
            _ = try? ask(question("DELETE", begun.id))
        }
        var begin = Question("POST", "/v1/uploads")
        begin.fields = [
            Self.tus, ("Upload-Length", "\(file.length)"), ("Upload-Metadata", file.metadata),
        ]
        begin.body = []
        let upload = try read(begin, as: UploadDocument.self)
        guard try send(file, from: 0, of: upload.id, isCancelled) else { return nil }
        guard file.isUnchanged else {
            _ = try? ask(question("DELETE", upload.id))
            throw Failure(
                exitCode: .temporary, code: "sourceChanged", stage: "request",
                message: "\(file.path) was changed while it was sent; nothing was queued",
                hint: "send it once it is complete")
        }
        if try isWhole(upload.id, file, isCancelled) { return upload.source }
        _ = try? ask(question("DELETE", upload.id))
        if isCancelled() { return nil }
        throw Failure(
            exitCode: .temporary, code: "uploadDamaged", stage: "request",
            message: "the server has other bytes than \(file.path); nothing was queued",
            hint: "send it again")
    }

    /// The upload of the same, unchanged file that was broken off; nil where there is none.
    private func unfinished(_ file: UploadedFile) -> UploadDocument? {
        let all = try? read(Question("/v1/uploads"), as: UploadsDocument.self).uploads
        let some = all?.filter {
            $0.complete == false && $0.length == file.length && $0.offset ?? 0 > 0
        }
        return some?.first { upload in
            let head = try? ask(question("HEAD", upload.id))
            return head?["upload-metadata"] == file.metadata
        }
    }

    /// Whether the server has the bytes of the file, and no others.
    private func isWhole(
        _ id: String, _ file: UploadedFile, _ isCancelled: () -> Bool
    ) throws(Failure) -> Bool {
        guard let own = file.sha256(isStopped: isCancelled) else { return false }
        return try read(question("GET", id), as: UploadDocument.self).sha256 == own
    }

    private func question(_ method: String, _ id: String) -> Question {
        var question = Question(method, "/v1/uploads/\(Self.encoded(id))")
        question.fields = [Self.tus]
        return question
    }

    /// - Returns: Whether all of it is there; false when it was cancelled.
    private func send(
        _ file: UploadedFile, from start: UInt64, of id: String, _ isCancelled: () -> Bool
    ) throws(Failure) -> Bool {
        var (offset, furthest) = (start, start)
        var failures = 0
        while offset < file.length {
            if isCancelled() { return false }
            do throws(Failure) {
                offset = try sendPiece(file, from: offset, of: id)
                if offset > furthest { (furthest, failures) = (offset, 0) }
            } catch {
                failures += 1
                let isLate = error.disposition != .retry && error.exitCode != .outputNotCreated
                guard !isLate, failures < Self.tries else { throw error }
                Thread.sleep(forTimeInterval: Double(failures))
                // What came before the break counts.
                offset = (try? self.offset(of: id)) ?? offset
            }
        }
        return true
    }

    private func sendPiece(
        _ file: UploadedFile, from offset: UInt64, of id: String
    ) throws(Failure) -> UInt64 {
        guard (try? file.handle.seek(toOffset: offset)) != nil,
            let piece = try? file.handle.read(upToCount: Self.pieceBytes), !piece.isEmpty
        else {
            throw Failure(
                exitCode: .inputOutput, code: "inputUnreadable", stage: "request",
                message: "\(file.path) became shorter, or cannot be read, while it was sent",
                hint: "send it once it is complete")
        }
        var question = self.question("PATCH", id)
        question.fields += [
            ("Upload-Offset", "\(offset)"), ("Content-Type", "application/offset+octet-stream"),
        ]
        question.body = Array(piece)
        let next = try position(ask(question))
        guard next > offset, next <= offset + UInt64(piece.count) else {
            throw Failure.unreadable("an offset that the bytes do not lead to", from: server)
        }
        return next
    }

    private func offset(of id: String) throws(Failure) -> UInt64 {
        try position(ask(question("HEAD", id)))
    }

    private func position(_ answer: Answer) throws(Failure) -> UInt64 {
        guard let offset = answer["upload-offset"].flatMap(UInt64.init) else {
            throw Failure.unreadable("no offset of the upload", from: server)
        }
        return offset
    }
}
