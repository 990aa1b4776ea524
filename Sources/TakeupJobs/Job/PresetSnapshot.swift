/// A preset as it was when the job was accepted; later changes of the preset do not reach the job.
public struct PresetSnapshot: Sendable, Hashable, Codable {
    public let name: String
    /// The preset's JSON, keys sorted, so that equal presets are equal texts.
    public let content: String

    public init(name: String, content: String) {
        (self.name, self.content) = (name, content)
    }
}
