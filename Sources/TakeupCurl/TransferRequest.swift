/// One HTTP request with its limits.
public struct TransferRequest: Sendable {
    /// Size limit of `posted`, in bytes.
    public static let mostPostedBytes = 16 << 20

    public var address: WebAddress
    public var fields: [Field]
    /// The method; nil sends a POST with a body, and else a GET.
    public var method: String?
    /// The body; nil for none.
    ///
    /// The origin may receive it twice: libcurl sends it again if a kept connection turns out to be
    /// closed.
    public var posted: [UInt8]?
    /// The body as a part of an open file, in place of `posted`; sends a PUT.
    public var upload: Upload?
    /// Signs the request; nil sends it unsigned.
    public var signing: AWSSigning?
    public var limits: TransferLimits
    /// A file with trusted certificates, used instead of the system's.
    public var authorities: String?
    /// Addresses of the host, used instead of the resolver's; `mayConnect` checks these too.
    public var addresses: [IPAddress]
    /// The Unix socket to connect to, whatever host the address names; nil for the network.
    ///
    /// Nothing else is connected to, and the result's peer is the loopback address.
    public var unixSocket: String?
    /// Decides on each address before a socket is opened for it.
    ///
    /// The closure is called again before the request is sent over a new or kept connection. The
    /// closure runs on the thread that performs the request.
    public var mayConnect: @Sendable (IPAddress, _ port: UInt16) -> Bool

    /// One header field.
    public struct Field: Equatable, Sendable {
        public var name: String
        public var value: String

        public init(_ name: String, _ value: String) {
            (self.name, self.value) = (name, value)
        }
    }

    /// A part of an open file that is sent as the body, read at its place as often as needed.
    public struct Upload: Equatable, Sendable {
        /// Open for reading until the request has ended; its position is not used.
        public var descriptor: Int32
        public var offset: Int64
        /// Bytes to send, at least 0.
        public var count: Int64

        public init(descriptor: Int32, offset: Int64, count: Int64) {
            (self.descriptor, self.offset, self.count) = (descriptor, offset, count)
        }
    }

    public init(
        _ address: WebAddress, fields: [Field] = [], limits: TransferLimits = TransferLimits(),
        mayConnect: @escaping @Sendable (IPAddress, _ port: UInt16) -> Bool
    ) {
        (self.address, self.fields, self.limits) = (address, fields, limits)
        (method, posted, authorities, addresses, unixSocket) = (nil, nil, nil, [], nil)
        (upload, signing) = (nil, nil)
        self.mayConnect = mayConnect
    }
}

extension TransferRequest.Field {
    /// Field names that frame the message or name its host; only the library sends these.
    private static let reserved: Set<String> = [
        "accept-encoding", "connection", "content-length", "expect", "host", "keep-alive",
        "proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    private static let tokenMarks = Set("!#$%&'*+-.^_`|~".utf8)

    /// Whether the field can be sent: its name is a token, its value one line, and the library does
    /// not send it itself.
    var isSendable: Bool {
        let isToken = name.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                || (0x61...0x7A).contains(byte) || Self.tokenMarks.contains(byte)
        }
        let isLine = value.utf8.allSatisfy { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }
        return !name.isEmpty && isToken && isLine && !Self.reserved.contains(name.lowercased())
    }
}
