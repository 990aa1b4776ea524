internal import CTakeupCurl

/// Performs HTTP requests one after another, over connections that it keeps open.
///
/// The calls block, so the object belongs to one lane and must stay on it. A transfer follows no
/// redirects, decodes nothing, stores nothing and reads no environment: the caller gets each answer
/// as sent.
public final class Transfer {
    /// Highest number of idle connections to keep.
    private static let keptConnections = 4
    /// Milliseconds between two checks of the clock while nothing arrives.
    private static let pollMilliseconds: Int32 = 100

    private var easy: EasyHandle
    private let multi: MultiHandle
    /// Whether the last request failed; a reset does not clear all of libcurl's state after a
    /// failure.
    private var isWorn = false
    private var isPerforming = false
    /// Peer of the last request, even if it failed; nil if the request was not sent.
    public private(set) var peer: IPAddress?
    /// Seconds from the last request's start to the answer's first byte, even if it failed; nil
    /// without an answer.
    public private(set) var firstByteSeconds: Double?

    /// - Throws: `CurlError` with `.start` if libcurl has no memory.
    public init() throws(CurlError) {
        let multi = try MultiHandle()
        easy = try EasyHandle()
        takeup_multi_set_long(multi.raw, CURLMOPT_MAXCONNECTS, Self.keptConnections)
        self.multi = multi
    }

    /// Sends a request and delivers its answer to the callbacks, on this thread.
    ///
    /// - Parameters:
    ///   - request: The request and its limits.
    ///   - cancellation: Ends the request from any thread.
    ///   - onHead: Called once, with the final head; `false` ends the request without an error.
    ///   - onBody: Receives chunks of the body, valid only during the call; `false` ends the
    ///     request without an error. During the call the origin waits, and a cancellation is not
    ///     noticed.
    /// - Returns: The head and the result.
    /// - Throws: `CurlError`; `.cut` if the answer is shorter than stated.
    public func perform(
        _ request: TransferRequest, cancellation: TransferCancellation? = nil,
        onHead: (ResponseHead) -> Bool, onBody: (UnsafeRawBufferPointer) -> Bool
    ) throws(CurlError) -> TransferResult {
        precondition(!isPerforming, "a transfer performs one request at a time")
        isPerforming = true
        (peer, firstByteSeconds) = (nil, nil)
        defer { isPerforming = false }
        return try withoutActuallyEscaping(onHead) { onHead in
            withoutActuallyEscaping(onBody) { onBody in
                run(
                    request,
                    Exchange(request, cancellation: cancellation, onHead: onHead, onBody: onBody),
                    cancellation)
            }
        }.get()
    }

    private func run(
        _ request: TransferRequest, _ exchange: Exchange, _ cancellation: TransferCancellation?
    ) -> Result<TransferResult, CurlError> {
        defer { easy.reset() }
        cancellation?.begin(multi.raw)
        defer { cancellation?.end(multi.raw) }
        return Result { () throws(CurlError) in
            if isWorn { easy = try EasyHandle() }
            isWorn = true
            let fields = try FieldList.fields(of: request)
            let addresses = try FieldList.addresses(of: request)
            try easy.configure(request, fields: fields, addresses: addresses)
            try easy.connect(exchange)
            // The handle points to all three objects.
            defer {
                easy.reset()
                extendLifetime(fields)
                extendLifetime(addresses)
            }
            let code = drive(exchange)
            isWorn = code != CURLE_OK
            return try result(of: exchange, code: code, request.address)
        }
    }

    /// Runs libcurl until the request ends or the exchange ends it.
    private func drive(_ exchange: Exchange) -> CURLcode {
        guard exchange.goesOn() else { return CURLE_ABORTED_BY_CALLBACK }
        guard takeup_multi_add(multi.raw, easy.raw) == CURLM_OK else { return CURLE_FAILED_INIT }
        defer { takeup_multi_remove(multi.raw, easy.raw) }
        var code = CURLE_OK
        var running: Int32 = 0
        while takeup_multi_perform(multi.raw, &running) == CURLM_OK {
            // No more bytes are available now, so deliver the collected ones before waiting.
            exchange.handOn()
            if takeup_multi_finished(multi.raw, &code) == 1 { return code }
            guard exchange.goesOn() else { return CURLE_ABORTED_BY_CALLBACK }
            guard takeup_multi_poll(multi.raw, Self.pollMilliseconds) == CURLM_OK else { break }
        }
        return CURLE_FAILED_INIT
    }

    private func result(
        of exchange: Exchange, code: CURLcode, _ address: WebAddress
    ) throws(CurlError) -> TransferResult {
        peer = exchange.peer
        var firstByte: curl_off_t = 0
        takeup_easy_get_offset(easy.raw, CURLINFO_STARTTRANSFER_TIME_T, &firstByte)
        if firstByte > 0 { firstByteSeconds = Double(firstByte) / 1e6 }
        let isStopped = exchange.stop == .caller
        guard code == CURLE_OK || isStopped, let head = exchange.head, let peer else {
            throw CurlError(
                .transfer, exchange.failure(code), code: Int32(code.rawValue),
                subject: address.redacted)
        }
        return TransferResult(
            head: head, bodyBytes: exchange.bodyBytes, peer: peer,
            firstByteSeconds: firstByteSeconds ?? 0, seconds: exchange.seconds,
            ending: isStopped ? .stoppedByCaller : .complete)
    }
}
