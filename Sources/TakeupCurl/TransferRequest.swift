/// One request: what is asked, of whom, within which limits.
public struct TransferRequest: Sendable {
    /// The longest `posted`.
    public static let mostPostedBytes = 1 << 20

    public var address: WebAddress
    public var fields: [Field]
    /// The body of a POST; nil for a GET.
    ///
    /// It may reach the other side twice: libcurl sends it again when a kept connection turns out to be closed.
    public var posted: [UInt8]?
    public var limits: TransferLimits
    /// A file with the certificates that are trusted instead of the system's.
    public var authorities: String?
    /// Addresses that the name has, instead of what the resolver says; these are vetted too.
    public var addresses: [IPAddress]
    /// Decides on each address before a socket is opened for it.
    ///
    /// It is asked once more before the request goes over a connection, new or kept, and runs on
    /// the thread that performs.
    public var mayConnect: @Sendable (IPAddress, _ port: UInt16) -> Bool

    /// One header field.
    public struct Field: Equatable, Sendable {
        public var name: String
        public var value: String

        public init(_ name: String, _ value: String) {
            (self.name, self.value) = (name, value)
        }
    }

    public init(
        _ address: WebAddress, fields: [Field] = [], limits: TransferLimits = TransferLimits(),
        mayConnect: @escaping @Sendable (IPAddress, _ port: UInt16) -> Bool
    ) {
        (self.address, self.fields, self.limits) = (address, fields, limits)
        (posted, authorities, addresses) = (nil, nil, [])
        self.mayConnect = mayConnect
    }
}

extension TransferRequest.Field {
    /// Names of fields that frame the message or name its host: these are the library's own.
    private static let reserved: Set<String> = [
        "accept-encoding", "connection", "content-length", "expect", "host", "keep-alive",
        "proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    private static let tokenMarks = Set("!#$%&'*+-.^_`|~".utf8)

    /// Whether it can be sent: a token, a value of one line, and no field of the library's own.
    var isSendable: Bool {
        let isToken = name.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                || (0x61...0x7A).contains(byte) || Self.tokenMarks.contains(byte)
        }
        let isLine = value.utf8.allSatisfy { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }
        return !name.isEmpty && isToken && isLine && !Self.reserved.contains(name.lowercased())
    }
}
