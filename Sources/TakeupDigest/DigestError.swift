/// The reason why bytes could not be hashed.
public enum DigestError: Error, Equatable, Sendable {
    case outOfMemory
    case unreadable(errno: Int32)
}
