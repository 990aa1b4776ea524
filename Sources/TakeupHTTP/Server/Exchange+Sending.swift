internal import CTakeupMicrohttpd
internal import Foundation

extension Exchange {
    /// Size of one read of a stream, in bytes: a thousand slow readers hold little memory.
    private static let blockBytes = 32_768

    /// Hands a response to the library.
    func queue(_ response: HTTPResponse, on raw: OpaquePointer) -> MHD_Result {
        let way = SendingWay(response, method: request.method, isOld: isOld)
        (self.response, step) = (response, .answered)
        sending = SentBytes()
        guard let made = make(way) else { return .NO }
        defer { MHD_destroy_response(made) }
        for field in response.fields.all where field.name.lowercased() != "content-length" {
            // The library refuses what would break out of a line.
            MHD_add_response_header(made, field.name, field.value)
        }
        if response.fields["X-Request-Id"] == nil {
            MHD_add_response_header(made, "X-Request-Id", request.id)
        }
        if mustClose, response.fields["Connection"] == nil {
            MHD_add_response_header(made, "Connection", "close")
        }
        sending.headBytes = headBytes(way, response)
        sending.before = connection.written
        (status, firstByteSeconds) = (response.status, seconds)
        connection.begin(.sending)
        return MHD_queue_response(raw, UInt32(clamping: response.status), made)
    }

    private func make(_ way: SendingWay) -> OpaquePointer? {
        switch way {
        case .empty: return MHD_create_response_from_buffer(0, nil, .RESPMEM_PERSISTENT)
        case .headOnly(let length):
            let made = MHD_create_response_from_callback(
                length.map(UInt64.init) ?? takeup_http_unknown_size, 1, { _, _, _, _ in -2 }, nil,
                nil)
            if let made, length == nil { takeup_http_end_by_closing(made) }
            return made
        case .whole(.file(let part)) where connection.isTCP && part.count > 0:
            sending.length = part.count
            let copy = fcntl(part.descriptor, F_DUPFD_CLOEXEC, 3)
            // Too many files are open: the owner's descriptor serves, without the kernel's short cut.
            guard copy >= 0 else { return stream(part.count) }
            sending.isFile = true
            let made = MHD_create_response_from_fd_at_offset64(
                UInt64(part.count), copy, UInt64(part.offset))
            if made == nil { Foundation.close(copy) }
            return made
        case .whole(.bytes(let bytes)) where connection.isTCP:
            (sending.length, sending.isFile) = (Int64(bytes.count), true)
            return bytes.withUnsafeBytes { raw in
                MHD_create_response_from_buffer(
                    raw.count, UnsafeMutableRawPointer(mutating: raw.baseAddress),
                    .RESPMEM_MUST_COPY)
            }
        case .whole(let body): return stream(body.length)
        }
    }

    private func stream(_ length: Int64?) -> OpaquePointer? {
        sending.length = length
        sending.isChunked = length == nil && !isOld
        return MHD_create_response_from_callback(
            length.map(UInt64.init) ?? takeup_http_unknown_size, Self.blockBytes,
            { owner, offset, buffer, count in
                guard let owner, let buffer else { return takeup_http_broken }
                return Unmanaged<Exchange>.fromOpaque(owner).takeUnretainedValue().give(
                    UnsafeMutableRawBufferPointer(start: buffer, count: count), Int64(offset))
            }, Unmanaged.passUnretained(self).toOpaque(), nil)
    }

    /// The library asks for the next bytes of the body.
    private func give(_ buffer: UnsafeMutableRawBufferPointer, _ offset: Int64) -> Int {
        guard let response else { return takeup_http_broken }
        sending.given = offset...offset
        connection.begin(.working)
        let count: Int
        do {
            count = try response.body.read(into: buffer, at: offset) { [core, connection] in
                connection.isGone || core.isCutting
            }
        } catch {
            return fail()
        }
        guard count > 0 else {
            // The end of a body whose length is known is not asked for.
            return sending.length == nil ? takeup_http_end : fail()
        }
        sending.given = offset...(offset + Int64(count))
        connection.move(to: sending.given.upperBound)
        connection.begin(.sending)
        return count
    }

    /// The client sees a broken connection, and never a body that looks complete.
    private func fail() -> Int {
        sending.isBroken = true
        connection.cut()
        return takeup_http_broken
    }

    /// Bytes of the head, which the library writes, and which the kernel counts together with the body's.
    private func headBytes(_ way: SendingWay, _ response: HTTPResponse) -> Int64 {
        var count = "HTTP/1.1 \(response.status) \(ReasonPhrase.of(response.status))\r\n".utf8.count
        for field in response.fields.all where field.name.lowercased() != "content-length" {
            count += field.name.utf8.count + field.value.utf8.count + 4
        }
        if response.fields["Date"] == nil { count += 37 }
        if response.fields["X-Request-Id"] == nil { count += "X-Request-Id: ".count + 18 }
        if let length = sending.length { count += "Content-Length: \(length)\r\n".utf8.count }
        let words = request.fields.values("Connection").joined(separator: ",").lowercased()
        let closes = words.contains("close") || isOld && !words.contains("keep-alive")
        if closes || mustClose { count += "Connection: close\r\n".utf8.count }
        if isOld && !closes { count += "Connection: Keep-Alive\r\n".utf8.count }
        return Int64(count) + 2
    }
}

/// What of a response goes over the wire.
enum SendingWay {
    case empty
    /// For HEAD and 304: with the length of the body that does not follow; nil where it is not known.
    case headOnly(length: Int64?)
    case whole(HTTPBody)

    init(_ response: HTTPResponse, method: String, isOld: Bool) {
        switch response.status {
        case ..<200, 204: self = .empty
        case 304:
            // Without the whole one's length, nothing may be said of any length.
            if case .none = response.body {
                self = .headOnly(length: nil)
            } else {
                self = .headOnly(length: response.body.length)
            }
        case _ where method == "HEAD": self = .headOnly(length: response.body.length)
        default:
            if response.body.length == 0 { self = .empty } else { self = .whole(response.body) }
        }
    }
}
