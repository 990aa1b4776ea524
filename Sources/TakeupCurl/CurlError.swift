/// A failed request: the operation, the kind of error, libcurl's code and the subject.
public struct CurlError: Error, Equatable, Sendable {
    /// The failed operation; raw values are stored in records and never change.
    public enum Operation: String, Sendable {
        case start, parse, resolve, configure, transfer
    }

    /// The kinds of errors that callers distinguish.
    public enum Kind: Equatable, Sendable {
        /// The request was refused before anything was sent.
        case refused(Refusal)
        /// The host name has no address.
        case resolve
        /// No address of the host accepts the connection.
        case connect
        /// Every address of the host is forbidden; this was the last one.
        case denied(IPAddress)
        /// The origin's certificate is not trusted, or there is no common cipher.
        case tls
        /// The connection, the head or the whole answer took too long.
        case timeout
        /// The body was slower than the limits require.
        case tooSlow
        /// The connection ended before the answer, after this many bytes of its body.
        case cut(bodyBytes: Int64)
        /// The head or the body exceeds its limit.
        case tooLarge
        /// The answer is not valid HTTP.
        case `protocol`
        case cancelled
        /// The file that is the request's body could not be read.
        case unreadableBody(errno: Int32)
        /// This process, or the machine, can open no more files now; the origin is not at fault.
        case outOfFiles
        case other
    }

    /// The fault of an address or a header field.
    public enum Refusal: String, Sendable {
        /// The scheme is neither http nor https.
        case scheme
        /// The address contains a user or a password.
        case credentials
        /// The text contains a control character, line end or NUL.
        case characters
        /// The text is not an address, or different parsers would read different addresses.
        case malformed
        case length
        /// The address contains the zone of a local IPv6 address.
        case zone
        /// The header field is malformed, or only this library may send it.
        case field

        var reason: String {
            switch self {
            case .scheme: "its scheme is not http or https"
            case .credentials: "it holds a user name or a password"
            case .characters: "it holds characters that an address cannot have"
            case .malformed: "it is not a valid address"
            case .length: "it is too long"
            case .zone: "it names a network interface"
            case .field: "a header field is not valid, or may not be set"
            }
        }
    }

    public let operation: Operation
    public let kind: Kind
    /// libcurl's error code: a `CURLcode` or, for `.parse` and `.resolve`, a `CURLUcode`.
    ///
    /// 0 if libcurl did not cause the refusal.
    public let code: Int32
    /// The address without user, password, query and fragment, or another refused text.
    public let subject: String

    public init(_ operation: Operation, _ kind: Kind, code: Int32 = 0, subject: String) {
        (self.operation, self.kind) = (operation, kind)
        (self.code, self.subject) = (code, subject)
    }
}

extension CurlError: CustomStringConvertible {
    public var description: String {
        if kind == .resolve { return "cannot find the host \(host)\(library)" }
        return "\(operation.rawValue) failed on \(subject): \(reason)\(library)"
    }

    /// The reason as the end of a sentence; never contains the address.
    public var reason: String {
        guard kind == .other else { return kind.words }
        return CurlLibrary.words(self).map { "libcurl says: \($0)" } ?? kind.words
    }

    /// The subject's host; the whole subject if it is not an address.
    private var host: String {
        do throws(CurlError) { return try WebAddress(subject).host } catch { return subject }
    }

    /// libcurl's code as text, for looking it up; empty for 0.
    private var library: String { code == 0 ? "" : " (curl \(code))" }
}

extension CurlError.Kind {
    /// The reason as the end of a sentence.
    public var words: String {
        switch self {
        case .refused(let refusal): refusal.reason
        case .resolve: "the name has no address"
        case .connect: "no connection"
        case .denied(let address): "\(address) may not be connected to"
        case .tls: "no trusted connection"
        case .timeout: "no answer in time"
        case .tooSlow: "the body comes too slowly"
        case .cut(let bytes): "the answer ended early, after \(bytes) bytes of its body"
        case .tooLarge: "the answer is too large"
        case .protocol: "the answer is no proper HTTP"
        case .cancelled: "cancelled"
        case .unreadableBody: "the file that is sent could not be read"
        case .outOfFiles: "this process has too many files open"
        case .other: "libcurl gave no reason"
        }
    }
}
