public import TakeupModel

/// The variables of a process that lead to an object store, and to its keys; never shown.
public struct S3Environment: Sendable, Equatable {
    private let variables: [String: String]

    /// Keeps what concerns object stores.
    public init(_ environment: [String: String]) {
        variables = environment.filter { $0.key.hasPrefix("AWS_") || $0.key == "HOME" }
    }

    /// Reads the settings, and their files again.
    ///
    /// - Throws: As `S3Settings.init`.
    public func read() throws(Failure) -> S3Settings { try S3Settings(environment: variables) }

    /// Makes a client that reads the keys again where the server refuses them.
    ///
    /// - Parameter isStopped: As `S3Client.init` has it.
    /// - Returns: The client.
    /// - Throws: As `read`.
    public func client(
        isStopped: (@Sendable () -> Bool)? = nil
    ) throws(Failure) -> S3Client {
        S3Client(try read(), renew: { try? read().credentials }, isStopped: isStopped)
    }
}

extension S3Environment: CustomStringConvertible, CustomReflectable {
    public var description: String { "environment of an object store" }

    /// Shows no key to a dump either.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
