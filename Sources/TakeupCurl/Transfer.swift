internal import CTakeupCurl

/// Performs requests one after another, over connections that it keeps.
///
/// It blocks, so it belongs to a lane, and stays on it. Nothing is followed, decoded, stored or
/// taken from the environment: an answer is given as it came.
public final class Transfer {
    /// Idle connections that are kept.
    private static let keptConnections = 4
    /// Between two looks at the clock while nothing comes.
    private static let pollMilliseconds: Int32 = 100

    private var easy: EasyHandle
    private let multi: MultiHandle
    /// Whether the last request did not end well: what libcurl keeps of it then, no reset takes back.
    private var isWorn = false
    private var isPerforming = false
    /// To whom the last request was sent, however it ended; nil when it never was.
    public private(set) var peer: IPAddress?
    /// From the last request's start to its answer's first byte, however it ended; nil without an answer.
    public private(set) var firstByteSeconds: Double?

    /// - Throws: `CurlError` with `.start` when libcurl has no memory.
    public init() throws(CurlError) {
        let multi = try MultiHandle()
        easy = try EasyHandle()
        takeup_multi_set_long(multi.raw, CURLMOPT_MAXCONNECTS, Self.keptConnections)
        self.multi = multi
    }

    /// Sends a request and gives its answer to the callbacks, on this thread.
    ///
    /// - Parameters:
    ///   - request: What is asked, and within which limits.
    ///   - cancellation: Ends it from any thread.
    ///   - onHead: Once, with the final head; `false` ends quietly.
    ///   - onBody: Pieces of the body, valid during the call; `false` ends quietly. While it
    ///     takes its time the origin waits, and a cancellation is not seen.
    /// - Returns: The head, and how it went.
    /// - Throws: `CurlError`; `.cut` when the answer is shorter than it said.
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
            // The handle points to all three.
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

    /// Lets libcurl work until the request ends or the exchange ends it.
    private func drive(_ exchange: Exchange) -> CURLcode {
        guard exchange.goesOn() else { return CURLE_ABORTED_BY_CALLBACK }
        guard takeup_multi_add(multi.raw, easy.raw) == CURLM_OK else { return CURLE_FAILED_INIT }
        defer { takeup_multi_remove(multi.raw, easy.raw) }
        var code = CURLE_OK
        var running: Int32 = 0
        while takeup_multi_perform(multi.raw, &running) == CURLM_OK {
            // Nothing more is there now: who waits for what came gets it before the wait.
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
