/// A request that did not succeed: what was tried, what came back, on what.
public struct CurlError: Error, Equatable, Sendable {
    /// What was tried; the raw value is stored in records and never changes.
    public enum Operation: String, Sendable {
        case start, parse, resolve, configure, transfer
    }

    /// What a caller tells apart.
    public enum Kind: Equatable, Sendable {
        /// Refused before anything was sent.
        case refused(Refusal)
        /// The name has no address.
        case resolve
        /// No address of the name takes the connection.
        case connect
        /// Each address that the name has is forbidden; this one was the last.
        case denied(IPAddress)
        /// No trust in the origin's certificate, or no agreement on a cipher.
        case tls
        /// No connection, no whole head or no whole answer in its time.
        case timeout
        /// The body came slower than the limits ask.
        case tooSlow
        /// The connection ended before the answer did, after this many bytes of its body.
        case cut(bodyBytes: Int64)
        /// The head or the body is larger than its limit.
        case tooLarge
        /// The answer is no proper HTTP.
        case `protocol`
        case cancelled
        case other
    }

    /// What is wrong with an address or a header field.
    public enum Refusal: String, Sendable {
        /// Neither http nor https.
        case scheme
        /// A user or a password in the address.
        case credentials
        /// A control character, line end or NUL.
        case characters
        /// No address at all, or one that reads differently each time.
        case malformed
        case length
        /// The zone of a local IPv6 address.
        case zone
        /// A header field that is no field, or one that only this library may send.
        case field
    }

    public let operation: Operation
    public let kind: Kind
    /// libcurl's number, a `CURLcode` or, for `.parse` and `.resolve`, a `CURLUcode`; 0 if the
    /// refusal is not its own.
    public let code: Int32
    /// The address without user, password, query and fragment, or what else was refused.
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

    /// Why it did not succeed, as the end of a sentence; never the address.
    public var reason: String {
        guard kind == .other else { return kind.words }
        return CurlLibrary.words(self).map { "libcurl says: \($0)" } ?? kind.words
    }

    /// The subject's host; the whole subject where it is no address.
    private var host: String {
        do throws(CurlError) { return try WebAddress(subject).host } catch { return subject }
    }

    /// The library's number, for who looks it up; its words are there when ours are no closer.
    private var library: String { code == 0 ? "" : " (curl \(code))" }
}

extension CurlError.Kind {
    /// Why it did not succeed, as the end of a sentence.
    public var words: String {
        switch self {
        case .refused(let refusal): "refused for its \(refusal.rawValue)"
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
        case .other: "libcurl gave no reason"
        }
    }
}
