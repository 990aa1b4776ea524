/// Why a server could not begin to listen.
public struct HTTPServerError: Error, Sendable, Equatable {
    /// What was tried, such as `listen on 127.0.0.1:8080`.
    public let operation: String
    public let errno: Int32

    public init(operation: String, errno: Int32) {
        (self.operation, self.errno) = (operation, errno)
    }
}
