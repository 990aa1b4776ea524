internal import CTakeupMicrohttpd
internal import Foundation

/// The functions that the library calls, each of which finds its object and asks it.
enum ServerCallbacks {
    /// Makes the functions for one server, whose core must outlive the daemon.
    static func of(_ core: ServerCore) -> takeup_http_callbacks {
        takeup_http_callbacks(
            owner: Unmanaged.passUnretained(core).toOpaque(),
            accepts: { owner, address, _ in
                ServerCallbacks.core(owner)?.accepts(address) == true ? .YES : .NO
            },
            connection: { owner, raw, context, event in
                guard let core = ServerCallbacks.core(owner), let raw, let context else { return }
                if event == .CONNECTION_NOTIFY_STARTED {
                    context.pointee = Unmanaged.passRetained(core.open(raw)).toOpaque()
                } else if let kept = context.pointee {
                    context.pointee = nil
                    core.close(Unmanaged<Connection>.fromOpaque(kept).takeRetainedValue())
                }
            },
            line: { owner, target, raw in
                guard let core = ServerCallbacks.core(owner), let raw,
                    let exchange = core.begin(target.map { String(cString: $0) } ?? "", on: raw)
                else { return nil }
                return Unmanaged.passRetained(exchange).toOpaque()
            },
            request: { _, raw, _, method, version, bytes, count, context in
                guard let raw, let method, let version, let count,
                    let exchange = ServerCallbacks.exchange(context?.pointee)
                else { return .NO }
                if case .new = exchange.step {
                    return exchange.start(raw, ServerCallbacks.head(raw, method, version, exchange))
                }
                guard count.pointee > 0 else { return exchange.finish(raw) }
                defer { count.pointee = 0 }
                return exchange.receive(UnsafeRawBufferPointer(start: bytes, count: count.pointee))
            },
            completed: { owner, _, context, reason in
                guard let core = ServerCallbacks.core(owner), let kept = context?.pointee else {
                    return
                }
                context?.pointee = nil
                core.end(Unmanaged<Exchange>.fromOpaque(kept).takeRetainedValue(), reason)
            },
            refuses: { owner, status in
                ServerCallbacks.core(owner)?.libraryRefuses(Int(status))
            })
    }

    private static func core(_ owner: UnsafeMutableRawPointer?) -> ServerCore? {
        owner.map { Unmanaged<ServerCore>.fromOpaque($0).takeUnretainedValue() }
    }

    private static func exchange(_ context: UnsafeMutableRawPointer?) -> Exchange? {
        context.map { Unmanaged<Exchange>.fromOpaque($0).takeUnretainedValue() }
    }

    private static func head(
        _ raw: OpaquePointer, _ method: UnsafePointer<CChar>, _ version: UnsafePointer<CChar>,
        _ exchange: Exchange
    ) -> Exchange.Head {
        let byteCount = takeup_http_head_bytes(raw)
        let isStrict =
            takeup_http_is_strict() != 0
            || RequestSyntax.isStrict(
                UnsafeRawBufferPointer(start: method, count: byteCount),
                methodBytes: strlen(method), targetBytes: exchange.target.utf8.count)
        return Exchange.Head(
            method: String(cString: method), isOld: strcmp(version, "HTTP/1.0") == 0,
            fields: fields(of: raw), isStrict: isStrict, byteCount: byteCount)
    }

    private static func fields(of raw: OpaquePointer) -> HTTPFields {
        var fields = HTTPFields()
        withUnsafeMutablePointer(to: &fields) { pointer in
            _ = MHD_get_connection_values_n(
                raw, .HEADER_KIND,
                { owner, _, name, nameBytes, value, valueBytes in
                    let fields = owner?.assumingMemoryBound(to: HTTPFields.self)
                    let text = ServerCallbacks.text
                    fields?.pointee.add(text(name, nameBytes), text(value, valueBytes).trimmedField)
                    return .YES
                }, pointer)
        }
        return fields
    }

    private static func text(_ bytes: UnsafePointer<CChar>?, _ count: Int) -> String {
        String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
    }
}

extension String {
    /// Without spaces and tabs at both ends, which are no part of a field's value.
    var trimmedField: String {
        let isInk: (UInt8) -> Bool = { $0 != 0x20 && $0 != 0x09 }
        guard let first = utf8.firstIndex(where: isInk), let last = utf8.lastIndex(where: isInk)
        else { return "" }
        return String(self[first...last])
    }
}
