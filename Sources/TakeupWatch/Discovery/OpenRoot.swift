internal import Foundation

/// A watched folder that is there, open until this goes out of scope.
public struct OpenRoot: ~Copyable {
    /// To scan from; not to be closed.
    public let descriptor: Int32
    /// Whether another folder has taken the place of the one that was seen before: what is armed must be armed again.
    public let isAnother: Bool

    deinit { close(descriptor) }
}
