internal import CTakeupMicrohttpd
internal import Foundation
internal import TakeupLanes

/// One request and its response, on the thread of their connection.
final class Exchange {
    enum Step {
        /// The head has not been looked at.
        case new
        /// Waits for the end of a request without a body.
        case decided(HTTPResponse)
        case collecting(limit: Int, then: @Sendable ([UInt8]) -> HTTPResponse)
        case receiving(any BodyReceiver)
        case answered
    }

    let connection: Connection
    let core: ServerCore
    /// As it came; the library cuts its own copy.
    let target: String
    private let began = Monotonic.now

    var request: HTTPRequest
    var isOld = false
    var step = Step.new
    private var wasPlanned = false
    /// The bytes of a body that is collected.
    var collected: [UInt8] = []
    var received: Int64 = 0
    /// Whether the client may still be sending a body that nobody reads.
    var mustLinger = false

    var status = 0
    var firstByteSeconds: Double?
    /// Keeps what is sent alive until the end.
    var response: HTTPResponse?
    /// Whether the response was sent to its end.
    private var isComplete = false
    /// What is known of the body's bytes that were sent.
    var sending = SentBytes()

    init(target: String, connection: Connection, core: ServerCore) {
        (self.target, self.connection, self.core) = (target, connection, core)
        request = HTTPRequest(
            id: Self.newID(), method: "", target: target, peer: connection.peer,
            isAbandoned: { [cutting = core.cutting] in
                connection.isGone || cutting.withLock { $0 }
            }, isStopping: { [stopping = core.stopping] in stopping.withLock { $0 } })
    }

    var seconds: Double { Monotonic.now - began }

    private static func newID() -> String {
        let digits = String(UInt64.random(in: 0 ... .max), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    // MARK: - What the library calls

    /// The head has come; no byte of the body has been read.
    func start(_ raw: OpaquePointer, _ head: Head) -> MHD_Result {
        connection.begin(.working)
        (request.method, request.fields, isOld) = (head.method, head.fields, head.isOld)
        do throws(HTTPFault) {
            try check(head)
        } catch {
            return answerEarly(error.response(instance: request.id), to: raw)
        }
        wasPlanned = true
        return follow(core.handler.plan(for: request), raw)
    }

    /// The facts of a head.
    struct Head {
        var method: String
        var isOld: Bool
        var fields: HTTPFields
        var isStrict: Bool
        var byteCount: Int
    }

    private func check(_ head: Head) throws(HTTPFault) {
        guard target.utf8.count <= core.limits.targetBytes else { throw .targetTooLong }
        guard head.byteCount <= core.limits.headBytes else { throw .headTooLarge }
        guard head.isStrict else {
            throw .malformed("the head's lines are not as HTTP/1.1 has them")
        }
        let fault = RequestSyntax.fault(
            method: head.method, target: target, isOld: head.isOld, fields: head.fields)
        if let fault { throw fault }
        guard let parts = RequestSyntax.origin(of: target, method: head.method) else {
            throw .malformed("the address is no path")
        }
        request.target = parts.target
        if let authority = parts.authority { request.fields.set("Host", authority) }
    }

    /// nil without a body; -1 for one of unknown length.
    private var announced: Int64? {
        if request.fields["Transfer-Encoding"] != nil { return -1 }
        guard let text = request.fields["Content-Length"] else { return nil }
        // Nothing but digits; a number that is no Int64 was refused by the library.
        let length = Int64(text) ?? .max
        return length == 0 ? nil : length
    }

    /// Whether no other request may follow on the connection.
    ///
    /// Release 0.9 of the library takes lines of chunks and trailers that end in a bare line feed, or that are folded, and shows
    /// nobody that they did. A proxy in front may read them otherwise, and what it takes for a body would be a request here.
    /// Release 1 refuses them, but what clients see is the same with both.
    ///
    /// - Note: Source: RFC 9112, 7.1 and 11.2.
    var mustClose: Bool { core.isStopping || request.fields["Transfer-Encoding"] != nil }

    private func follow(_ plan: RequestPlan, _ raw: OpaquePointer) -> MHD_Result {
        switch plan {
        case .answer(let response):
            guard announced == nil else { return answerEarly(response, to: raw) }
            step = .decided(response)
        case .collect(let limit, let then):
            guard (announced ?? 0) <= Int64(limit) else {
                return answerEarly(
                    HTTPFault.bodyTooLarge.response(instance: request.id), to: raw)
            }
            step = .collecting(limit: limit, then: then)
        case .receive(let receiver): step = .receiving(receiver)
        }
        if announced != nil { connection.begin(.receiving) }
        return .YES
    }

    /// A part of the body has come.
    func receive(_ bytes: UnsafeRawBufferPointer) -> MHD_Result {
        received += Int64(bytes.count)
        connection.move(to: received)
        switch step {
        case .collecting(let limit, _):
            guard collected.count + bytes.count <= limit else {
                return refuse(HTTPFault.bodyTooLarge.response(instance: request.id))
            }
            collected.append(contentsOf: bytes)
        case .receiving(let receiver):
            if let response = receiver.receive(bytes) {
                step = .answered
                return refuse(response)
            }
        case .new, .decided, .answered: break
        }
        return .YES
    }

    /// The whole request has come.
    func finish(_ raw: OpaquePointer) -> MHD_Result {
        connection.begin(.working)
        switch step {
        case .decided(let response): return queue(response, on: raw)
        case .collecting(_, let then):
            let bytes = collected
            collected = []
            step = .new
            return queue(then(bytes), on: raw)
        case .receiving(let receiver):
            step = .new
            return queue(receiver.finish(), on: raw)
        case .new, .answered: return .NO
        }
    }

    /// The library refuses what it reads, such as a chunk of no size.
    func libraryRefuses(status: Int) {
        guard self.status == 0 else { return }
        var fault = HTTPFault.unreadable(status)
        switch step {
        // Of a body that only means that a line of its chunks does not fit into the library's memory.
        case .collecting, .receiving:
            if status == 500 { fault = .malformed("a line of the body's chunks is too long") }
        case .new, .decided, .answered: break
        }
        _ = refuse(fault.response(instance: request.id))
    }

    /// Nothing more happens with this request.
    func end(_ reason: MHD_RequestTerminationCode) {
        if case .receiving(let receiver) = step { receiver.cancel() }
        if case .decided(let response) = step { response.body.close() }
        if status != 0, reason == .REQUEST_TERMINATED_COMPLETED_OK {
            isComplete = !connection.isCut && !sending.isBroken
        }
        let fields = response?.fields ?? HTTPFields()
        let sent = sending.total(isComplete: isComplete, written: connection.written)
        response?.body.close()
        response?.whenSent?(sent)
        response = nil
        if mustLinger { linger() }
        core.handler.note(
            ExchangeRecord(
                request: request, wasPlanned: wasPlanned, status: status,
                responseFields: fields, receivedBytes: received, sentBytes: sent,
                seconds: seconds, firstByteSeconds: firstByteSeconds ?? seconds,
                isComplete: isComplete))
        connection.begin(.waiting(isFirst: false))
    }

    // MARK: - Answers that do not wait for the request's end

    private func answerEarly(_ response: HTTPResponse, to raw: OpaquePointer) -> MHD_Result {
        mustLinger = announced != nil
        return queue(response, on: raw)
    }

    /// Answers in the middle of a request, where the library takes no response.
    private func refuse(_ response: HTTPResponse) -> MHD_Result {
        if case .receiving(let receiver) = step { receiver.cancel() }
        step = .answered
        connection.begin(.sending)
        var body: [UInt8] = []
        if case .bytes(let bytes) = response.body { body = bytes }
        let head = RawHead.text(
            response, id: request.id, now: Int64(time(nil)), bodyBytes: body.count)
        (status, firstByteSeconds) = (response.status, seconds)
        let isBodyless = request.method == "HEAD"
        let sent = connection.withSocket {
            SocketEnd.send(Array(head.utf8) + (isBodyless ? [] : body), to: $0)
        }
        sending = SentBytes(raw: Int64(max(0, sent - head.utf8.count)))
        isComplete = sent >= head.utf8.count + (isBodyless ? 0 : body.count)
        linger()
        return .NO
    }

    private func linger() {
        mustLinger = false
        connection.begin(.closing)
        _ = connection.withSocket { socket in
            SocketEnd.linger(socket)
            return 0
        }
    }
}
