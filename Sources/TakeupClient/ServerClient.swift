internal import Foundation
internal import TakeupCurl
internal import TakeupLanes
package import TakeupModel

/// Asks a server for things, one after another; from any thread.
///
/// The calls block.
package final class ServerClient: Sendable {
    /// One question.
    package struct Question: Sendable {
        package var method = "GET"
        /// As it goes on the wire, such as `/v1/jobs/story-42`.
        package var path: String
        package var query: [(name: String, value: String)] = []
        package var fields: [(name: String, value: String)] = []
        package var body: [UInt8]?

        package init(_ path: String) { self.path = path }

        package init(_ method: String, _ path: String) {
            (self.method, self.path) = (method, path)
        }
    }

    /// The answer, whose status is a success.
    package struct Answer: Sendable {
        package let status: Int
        package let body: [UInt8]
        private let head: ResponseHead

        init(_ head: ResponseHead, _ body: [UInt8]) {
            (status, self.head, self.body) = (head.status, head, body)
        }

        /// The first value of a field; `name` in lower case.
        package subscript(name: String) -> String? { head[name] }
    }

    /// The largest answer that is read, in bytes.
    private static let answerBytes: Int64 = 256 << 20
    /// Seconds for the answer's head: a batch of jobs has to be on the disk before.
    private static let headSeconds = 60.0

    package let server: ServerAddress
    private let token: String?
    private let authorities: String?
    private let transfer = Locked<Transfer?>(nil)

    /// - Parameters:
    ///   - server: Where it is.
    ///   - token: Says who asks; nil where the server wants none.
    ///   - authorities: A file of trusted certificates, in place of the system's.
    package init(_ server: ServerAddress, token: String?, authorities: String? = nil) {
        (self.server, self.token, self.authorities) = (server, token, authorities)
    }

    /// Sends a question and waits for its answer.
    ///
    /// - Throws: What the server says went wrong; with 69 when it cannot be reached.
    package func ask(_ question: Question) throws(Failure) -> Answer {
        let request = try request(question)
        let answer = try transfer.withLock { transfer throws(Failure) in
            do throws(CurlError) {
                if let transfer { return try Self.perform(request, over: transfer) }
                let made = try Transfer()
                transfer = made
                return try Self.perform(request, over: made)
            } catch {
                throw Failure(error, from: server)
            }
        }
        guard (200..<300).contains(answer.status) else {
            throw Failure(problem: answer.body, status: answer.status, from: server)
        }
        return answer
    }

    /// Sends a question whose answer comes bit by bit for as long as `take` wants more; on a connection of its own.
    ///
    /// - Throws: As `ask`; a connection that breaks, too.
    package func follow(
        _ question: Question, _ take: (UnsafeRawBufferPointer) -> Bool
    ) throws(Failure) {
        var request = try request(question)
        request.limits.lowSpeedBytesPerSecond = 0
        request.limits.bodyBytes = nil
        var (status, refusal): (Int, [UInt8]) = (0, [])
        do throws(CurlError) {
            _ = try Transfer().perform(
                request,
                onHead: { head in
                    status = head.status
                    return true
                },
                onBody: { bytes in
                    if status == 200 { return take(bytes) }
                    refusal += bytes
                    return refusal.count < 1 << 20
                })
        } catch {
            throw Failure(error, from: server)
        }
        guard status == 200 else { throw Failure(problem: refusal, status: status, from: server) }
    }

    private static func perform(
        _ request: TransferRequest, over transfer: Transfer
    ) throws(CurlError) -> Answer {
        var body: [UInt8] = []
        let result = try transfer.perform(
            request, onHead: { _ in true },
            onBody: { bytes in
                body += bytes
                return true
            })
        return Answer(result.head, body)
    }

    private func request(_ question: Question) throws(Failure) -> TransferRequest {
        let query = question.query.map { "\($0.name)=\(Self.encoded($0.value))" }
            .joined(separator: "&")
        let address: WebAddress
        do throws(CurlError) {
            address = try WebAddress(
                server.base.text + question.path.dropFirst() + (query.isEmpty ? "" : "?\(query)"))
        } catch {
            throw Failure(error, from: server)
        }
        var request = TransferRequest(address) { _, _ in true }
        request.method = question.method
        request.posted = question.body
        request.authorities = authorities
        request.unixSocket = server.socket
        request.limits.headSeconds = Self.headSeconds
        request.limits.bodyBytes = Self.answerBytes
        request.fields = question.fields.map { TransferRequest.Field($0.name, $0.value) }
        request.fields.append(.init("User-Agent", "takeup/\(ProgramVersion.current)"))
        if let token { request.fields.append(.init("Authorization", "Bearer \(token)")) }
        return request
    }

    /// Percent-encoded, so that it can be one segment of a path, or a value of a query.
    package static func encoded(_ text: String) -> String {
        let marks = Set("-._~".utf8)
        return text.utf8.map { byte in
            let isPlain =
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                || (0x61...0x7A).contains(byte) || marks.contains(byte)
            if isPlain { return String(UnicodeScalar(byte)) }
            let digits = String(byte, radix: 16, uppercase: true)
            return digits.utf8.count == 1 ? "%0\(digits)" : "%\(digits)"
        }.joined()
    }
}
