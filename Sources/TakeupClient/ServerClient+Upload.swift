internal import Foundation
internal import TakeupIntake
package import TakeupModel

private struct UploadDocument: Decodable {
    var id: String
    var source: String
}

extension ServerClient {
    /// Bytes of one request: as many are sent again at most after a break.
    private static let pieceBytes = 8 << 20
    /// Tries in a row that bring nothing.
    private static let tries = 5
    private static let tus = (name: "Tus-Resumable", value: "1.0.0")

    /// Sends a file, and goes on where it was after a break.
    ///
    /// - Parameters:
    ///   - path: Of the file.
    ///   - isCancelled: Polled between pieces.
    /// - Returns: What a job of the server calls it as a source; nil when it was cancelled.
    /// - Throws: With 66 for a file that cannot be read.
    /// - Note: Source: tus 1.0.0.
    package func upload(
        _ path: String, isCancelled: () -> Bool
    ) throws(Failure) -> String? {
        guard let file = FileHandle(forReadingAtPath: path), let length = try? file.seekToEnd(),
            length > 0
        else {
            throw Failure(
                exitCode: .inputMissing, code: "inputMissing", stage: "request",
                message: "\(path) cannot be read, or is empty", hint: "name a media file")
        }
        var begin = Question("POST", "/v1/uploads")
        let last = path.utf8.split(separator: UInt8(ascii: "/")).last
        let name = Data(last.map(Array.init) ?? []).base64EncodedString()
        begin.fields = [
            Self.tus, ("Upload-Length", "\(length)"), ("Upload-Metadata", "filename \(name)"),
        ]
        begin.body = []
        let upload = try read(begin, as: UploadDocument.self)
        var offset: UInt64 = 0
        var failures = 0
        while offset < length {
            if isCancelled() { return nil }
            do throws(Failure) {
                offset = try send(file, from: offset, of: upload.id, path)
                failures = 0
            } catch {
                failures += 1
                let isLate = error.disposition != .retry && error.exitCode != .outputNotCreated
                guard !isLate, failures < Self.tries else { throw error }
                Thread.sleep(forTimeInterval: Double(failures))
                // What came before the break counts.
                offset = (try? self.offset(of: upload.id)) ?? offset
            }
        }
        return upload.source
    }

    private func send(
        _ file: FileHandle, from offset: UInt64, of id: String, _ path: String
    ) throws(Failure) -> UInt64 {
        guard (try? file.seek(toOffset: offset)) != nil,
            let piece = try? file.read(upToCount: Self.pieceBytes), !piece.isEmpty
        else {
            throw Failure(
                exitCode: .inputOutput, code: "inputUnreadable", stage: "request",
                message: "\(path) became shorter, or cannot be read, while it was sent",
                hint: "send it once it is complete")
        }
        var question = Question("PATCH", "/v1/uploads/\(Self.encoded(id))")
        question.fields = [
            Self.tus, ("Upload-Offset", "\(offset)"),
            ("Content-Type", "application/offset+octet-stream"),
        ]
        question.body = Array(piece)
        return try position(ask(question))
    }

    private func offset(of id: String) throws(Failure) -> UInt64 {
        var question = Question("HEAD", "/v1/uploads/\(Self.encoded(id))")
        question.fields = [Self.tus]
        return try position(ask(question))
    }

    private func position(_ answer: Answer) throws(Failure) -> UInt64 {
        guard let offset = answer["upload-offset"].flatMap(UInt64.init) else {
            throw Failure.unreadable("no offset of the upload", from: server)
        }
        return offset
    }
}
