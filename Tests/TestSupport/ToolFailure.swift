/// A tool of the tests that did not do what a test asked of it.
public struct ToolFailure: Error, CustomStringConvertible, Sendable {
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
