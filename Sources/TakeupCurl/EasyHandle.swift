internal import CTakeupCurl
internal import Foundation

/// libcurl's easy handle, for one request after another, with its settings.
struct EasyHandle: ~Copyable {
    /// Size of libcurl's read buffer, in bytes; libcurl delivers it in chunks of 16 KiB.
    private static let bufferBytes = 256 << 10

    let raw: UnsafeMutableRawPointer

    init() throws(CurlError) {
        guard let raw = takeup_easy_init() else {
            throw CurlError(
                .start, .other, code: Int32(CURLE_FAILED_INIT.rawValue), subject: "libcurl")
        }
        self.raw = raw
    }

    deinit { takeup_easy_cleanup(raw) }

    /// Resets the settings of the last request; keeps connections open.
    borrowing func reset() { takeup_easy_reset(raw) }

    /// Sets all options of a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - fields: Its header lines, which must live until the reset.
    ///   - addresses: The addresses of its host, which must live until the reset.
    /// - Throws: `CurlError` with `.configure` if libcurl lacks an option.
    borrowing func configure(
        _ request: TransferRequest, fields: borrowing FieldList, addresses: borrowing FieldList
    ) throws(CurlError) {
        try set(CURLOPT_URL, request.address.text)
        try set(CURLOPT_PROTOCOLS_STR, request.address.scheme.rawValue)
        try check(takeup_easy_set_list(raw, CURLOPT_HTTPHEADER, fields.raw), CURLOPT_HTTPHEADER)
        try check(takeup_easy_set_list(raw, CURLOPT_RESOLVE, addresses.raw), CURLOPT_RESOLVE)
        if let posted = request.posted { try post(posted) }
        if let upload = request.upload { try send(upload) }
        if let method = request.method { try set(CURLOPT_CUSTOMREQUEST, method) }
        // Else libcurl would wait for the body that the head states.
        if request.method == "HEAD" { try set(CURLOPT_NOBODY, 1) }
        if let path = request.unixSocket { try set(CURLOPT_UNIX_SOCKET_PATH, path) }
        try forbid()
        if let signing = request.signing { try sign(signing) }
        try trust(request.authorities)
        try limit(request.limits)
    }

    /// Sets the size first, because libcurl needs it to copy the bytes.
    private borrowing func post(_ bytes: [UInt8]) throws(CurlError) {
        guard bytes.count <= TransferRequest.mostPostedBytes else {
            throw CurlError(.configure, .refused(.length), subject: "the body of the request")
        }
        try set(CURLOPT_POST, 1)
        try set(CURLOPT_POSTFIELDSIZE, bytes.count)
        let code = (bytes.isEmpty ? [0] : bytes).withUnsafeBytes { body in
            takeup_easy_set_pointer(
                raw, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: body.baseAddress))
        }
        try check(code, CURLOPT_COPYPOSTFIELDS)
    }

    private borrowing func send(_ upload: TransferRequest.Upload) throws(CurlError) {
        try set(CURLOPT_UPLOAD, 1)
        try check(
            takeup_easy_set_offset(raw, CURLOPT_INFILESIZE_LARGE, curl_off_t(upload.count)),
            CURLOPT_INFILESIZE_LARGE)
    }

    private borrowing func sign(_ signing: AWSSigning) throws(CurlError) {
        try set(CURLOPT_AWS_SIGV4, "aws:amz:\(signing.region):\(signing.service)")
        try set(CURLOPT_USERNAME, signing.accessKey)
        try set(CURLOPT_PASSWORD, signing.secretKey)
    }

    /// Disables everything that comes from the environment, from earlier answers or from automatic
    /// behaviour.
    private borrowing func forbid() throws(CurlError) {
        try set(CURLOPT_HTTP_VERSION, takeup_http_1_1)
        try set(CURLOPT_HTTP09_ALLOWED, 0)
        try set(CURLOPT_FOLLOWLOCATION, 0)
        try set(CURLOPT_REDIR_PROTOCOLS_STR, "https")
        try set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
        try set(CURLOPT_NETRC, takeup_netrc_ignored)
        try set(CURLOPT_PROXY, "")
        try set(CURLOPT_NOPROXY, "*")
        try set(CURLOPT_HTTP_CONTENT_DECODING, 0)
        // Cookies, stored TLS rules (HSTS) and other services stay off, because nothing turns them
        // on.
        try set(CURLOPT_NOSIGNAL, 1)
        // Otherwise the end of a cancelled request waits for the resolver.
        try set(CURLOPT_QUICK_EXIT, 1)
    }

    private borrowing func trust(_ authorities: String?) throws(CurlError) {
        try set(CURLOPT_SSL_VERIFYPEER, 1)
        try set(CURLOPT_SSL_VERIFYHOST, 2)
        try set(CURLOPT_SSLVERSION, takeup_tls_1_2)
        if let authorities { try set(CURLOPT_CAINFO, authorities) }
    }

    private borrowing func limit(_ limits: TransferLimits) throws(CurlError) {
        try set(CURLOPT_CONNECTTIMEOUT_MS, max(1, Int(limits.connectSeconds * 1000)))
        try set(CURLOPT_BUFFERSIZE, Self.bufferBytes)
    }

    borrowing func set(_ option: CURLoption, _ value: Int) throws(CurlError) {
        try check(takeup_easy_set_long(raw, option, value), option)
    }

    borrowing func set(_ option: CURLoption, _ value: String) throws(CurlError) {
        try check(takeup_easy_set_string(raw, option, value), option)
    }

    borrowing func check(_ code: CURLcode, _ option: CURLoption) throws(CurlError) {
        guard code != CURLE_OK else { return }
        throw CurlError(
            .configure, .other, code: Int32(code.rawValue), subject: "option \(option.rawValue)")
    }
}

extension EasyHandle {
    /// Connects the callbacks to an exchange, which must live until the reset.
    borrowing func connect(_ exchange: Exchange) throws(CurlError) {
        let context = Unmanaged.passUnretained(exchange).toOpaque()
        for (option, code) in [
            (CURLOPT_HEADERDATA, takeup_easy_set_pointer(raw, CURLOPT_HEADERDATA, context)),
            (CURLOPT_WRITEDATA, takeup_easy_set_pointer(raw, CURLOPT_WRITEDATA, context)),
            (CURLOPT_OPENSOCKETDATA, takeup_easy_set_pointer(raw, CURLOPT_OPENSOCKETDATA, context)),
            (CURLOPT_PREREQDATA, takeup_easy_set_pointer(raw, CURLOPT_PREREQDATA, context)),
            (CURLOPT_READDATA, takeup_easy_set_pointer(raw, CURLOPT_READDATA, context)),
            (CURLOPT_SEEKDATA, takeup_easy_set_pointer(raw, CURLOPT_SEEKDATA, context)),
            (CURLOPT_READFUNCTION, takeup_easy_set_sender(raw, onSend)),
            (CURLOPT_SEEKFUNCTION, takeup_easy_set_seeker(raw, onSeek)),
            (CURLOPT_HEADERFUNCTION, takeup_easy_set_receiver(raw, CURLOPT_HEADERFUNCTION, onLine)),
            (CURLOPT_WRITEFUNCTION, takeup_easy_set_receiver(raw, CURLOPT_WRITEFUNCTION, onBytes)),
            (CURLOPT_OPENSOCKETFUNCTION, takeup_easy_set_opener(raw, onSocket)),
            (CURLOPT_PREREQFUNCTION, takeup_easy_set_prerequest(raw, onRequest)),
        ] {
            try check(code, option)
        }
    }
}

private func exchange(_ context: UnsafeMutableRawPointer?) -> Exchange? {
    context.map { Unmanaged<Exchange>.fromOpaque($0).takeUnretainedValue() }
}

private let onLine: curl_write_callback = { bytes, size, count, context in
    let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return exchange(context)?.receiveLine(line) == true ? line.count : 0
}

private let onBytes: curl_write_callback = { bytes, size, count, context in
    let chunk = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return exchange(context)?.receiveBody(chunk) == true ? chunk.count : 0
}

private let onSend: curl_read_callback = { room, size, count, context in
    let room = UnsafeMutableRawBufferPointer(start: room, count: size * count)
    return exchange(context)?.send(into: room) ?? takeup_read_abort
}

/// libcurl sends a body again when a kept connection turns out to be closed.
private let onSeek: curl_seek_callback = { context, offset, origin in
    guard origin == SEEK_SET, let exchange = exchange(context) else { return takeup_seek_failed }
    exchange.sentBytes = Int64(offset)
    return takeup_seek_ok
}

private let onSocket: curl_opensocket_callback = { context, _, address in
    guard let address, let exchange = exchange(context) else { return takeup_no_socket }
    return exchange.openSocket(address)
}

private let onRequest: curl_prereq_callback = { context, peer, _, port, _ in
    guard let peer, let exchange = exchange(context) else { return takeup_prerequest_abort }
    let goesOn = exchange.willSend(to: String(cString: peer), port: port)
    return goesOn ? takeup_prerequest_ok : takeup_prerequest_abort
}
