/// What answers a request.
public struct HTTPResponse: Sendable {
    public var status: Int
    public var fields: HTTPFields
    public var body: HTTPBody
    /// Is told once how many bytes of the body were given to the socket; never, if none could be.
    public var whenSent: (@Sendable (_ bytes: Int64) -> Void)?

    public init(_ status: Int, _ fields: [(String, String)] = [], body: HTTPBody = .none) {
        (self.status, self.body) = (status, body)
        self.fields = HTTPFields(fields)
    }
}

/// The bytes of a response; the server sends none of them for HEAD, 204 and 304.
///
/// HEAD and 304 tell the length of what GET and 200 would send: give them the same body, or an `unsent` one.
public enum HTTPBody: Sendable {
    case none
    case bytes([UInt8])
    /// A part of a file, sent without copying it through the process where the system can.
    case file(FilePart)
    /// Bytes that are made while they are sent; the length in bytes is nil where it is not known.
    case stream(any BodySource, length: Int64?)

    /// A text in UTF-8.
    public static func text(_ text: String) -> HTTPBody { .bytes(Array(text.utf8)) }

    /// The number of bytes; nil where it is not known.
    public var length: Int64? {
        switch self {
        case .none: 0
        case .bytes(let bytes): Int64(bytes.count)
        case .file(let part): part.count
        case .stream(_, let length): length
        }
    }
}

/// A part of an open file.
public struct FilePart: Sendable {
    /// Keeps the descriptor open, and the file in its store, while the part is sent.
    public let owner: any Sendable
    /// Open for reading; not closed by the server.
    public let descriptor: Int32
    /// Offset of the first byte, at least 0.
    public let offset: Int64
    /// Number of bytes.
    public let count: Int64

    public init(owner: any Sendable, descriptor: Int32, offset: Int64, count: Int64) {
        (self.owner, self.descriptor) = (owner, descriptor)
        (self.offset, self.count) = (offset, count)
    }
}

/// Makes the bytes of a response while they are sent, on the connection's own thread.
public protocol BodySource: AnyObject, Sendable {
    /// Copies the next bytes, or waits for at least one.
    ///
    /// - Parameters:
    ///   - buffer: The destination; its size limits the read.
    ///   - offset: Bytes of this body that were read before.
    ///   - isAbandoned: Polled a few times a second; `true` ends the wait.
    /// - Returns: The number of bytes; 0 only at the end.
    /// - Throws: Anything; the connection is then closed, so that the client sees a broken body.
    func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64, isAbandoned: () -> Bool
    ) throws -> Int

    /// Called once, when no more is read: at the end, after an error, or when the client has gone.
    func close()
}
