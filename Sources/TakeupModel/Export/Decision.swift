/// One choice of a plan and why it was made.
public struct Decision: Sendable, Equatable, Codable {
    /// What it is about, such as `video`, `audio 2`, `chapters`.
    public var subject: String
    public var choice: String
    public var reason: String

    public init(_ subject: String, _ choice: String, because reason: String) {
        self.subject = subject
        self.choice = choice
        self.reason = reason
    }
}
