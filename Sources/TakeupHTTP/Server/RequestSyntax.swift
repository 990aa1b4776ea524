/// The rules of a request's head that libmicrohttpd 0.9.75 does not enforce.
///
/// A proxy in front that reads a request otherwise than this server could be used to smuggle one in.
enum RequestSyntax {
    /// Checks the form of a head's lines.
    ///
    /// The library cuts a head in place: it writes NUL over spaces of the first line, over colons, and over both bytes of a line end. What it
    /// was lenient about is then still to be seen.
    ///
    /// - Parameters:
    ///   - head: From the method's first byte to the end of the empty line, after the cutting.
    ///   - methodBytes: The method's length.
    ///   - targetBytes: The target's length.
    /// - Returns: Whether the head has single spaces, whole line ends, no folded lines and no NUL.
    static func isStrict(_ head: UnsafeRawBufferPointer, methodBytes: Int, targetBytes: Int) -> Bool
    {
        let versionBytes = 8
        let version = methodBytes + 1 + targetBytes + 1
        var next = version + versionBytes + 2
        guard next + 2 <= head.count, head[methodBytes] == 0, head[version - 1] == 0,
            head[next - 2] == 0, head[next - 1] == 0
        else { return false }
        while next + 2 <= head.count {
            if head[next] == 0 { return head[next + 1] == 0 && next + 2 == head.count }
            guard head[next] != 0x20, head[next] != 0x09,
                let colon = head[next...].firstIndex(of: 0),
                let end = head[(colon + 1)...].firstIndex(of: 0), end + 1 < head.count,
                head[end + 1] == 0
            else { return false }
            next = end + 2
        }
        return false
    }

    /// What is wrong with a head whose lines are in order; nil where nothing is.
    static func fault(method: String, target: String, isOld: Bool, fields: HTTPFields) -> HTTPFault?
    {
        guard isToken(method) else { return .malformed("the method is no word") }
        guard target.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return .malformed("the address holds other characters than visible ASCII")
        }
        for field in fields.all {
            guard isToken(field.name) else { return .malformed("a field's name is no word") }
            guard field.value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
                return .malformed("a field holds a control character")
            }
        }
        let hosts = fields.values("Host")
        guard hosts.count == 1 || isOld && hosts.isEmpty else {
            return .malformed("a request names one host")
        }
        return framingFault(isOld: isOld, fields: fields)
    }

    private static func framingFault(isOld: Bool, fields: HTTPFields) -> HTTPFault? {
        let lengths = fields.values("Content-Length")
        let codings = fields.values("Transfer-Encoding")
        guard lengths.count <= 1, lengths.isEmpty || codings.isEmpty else {
            return .malformed("the body's length is stated twice")
        }
        if let length = lengths.first {
            guard !length.isEmpty, length.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
                return .malformed("the body's length is no number")
            }
        }
        if !codings.isEmpty {
            guard codings.count == 1, codings[0].lowercased() == "chunked" else {
                return HTTPFault(
                    status: 501, code: "transferCoding", detail: "only chunked bodies are read")
            }
            guard !isOld else { return .malformed("HTTP/1.0 has no chunked bodies") }
        }
        if let expected = fields["Expect"], expected.lowercased() != "100-continue" {
            return HTTPFault(
                status: 417, code: "expectation", detail: "only 100-continue can be expected")
        }
        return nil
    }

    /// Splits an absolute target into its authority, which counts instead of `Host`, and the rest.
    ///
    /// - Returns: nil if the target is neither a path, nor `*` for OPTIONS, nor an address of HTTP.
    static func origin(of target: String, method: String) -> (authority: String?, target: String)? {
        if target.hasPrefix("/") || target == "*" && method == "OPTIONS" { return (nil, target) }
        for scheme in ["http://", "https://"] where target.lowercased().hasPrefix(scheme) {
            let rest = target.dropFirst(scheme.count)
            let authority = rest.prefix { $0 != "/" && $0 != "?" }
            guard !authority.isEmpty, !authority.contains("@") else { return nil }
            let path = rest.dropFirst(authority.count)
            return (String(authority), path.hasPrefix("/") ? String(path) : "/\(path)")
        }
        return nil
    }

    /// - Note: Source: RFC 9110, 5.6.2.
    static func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }
}
