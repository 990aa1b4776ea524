/// How far an answer of a `TestOrigin` has come.
struct OriginProgress {
    let path: String
    let number: Int
    /// The bytes that the answer is of.
    var content: OriginContent
    /// Which one of the objects at the path that was.
    var version: Int
    /// Where the piece of the content under way begins, stands and ends.
    var start: Int64 = 0
    var position: Int64 = 0
    var end: Int64 = 0
    /// Before which byte it has stood still last.
    var stalledAt: Int64?
    /// Whether what is sent is of the content, not written around it.
    var isInContent = false
    /// Bytes of the body, of all its pieces.
    var sent: Int64 = 0
    /// Whether the body has no length and goes to the end of the content, wherever that is.
    var grows = false
    /// Whether it begins again at its end.
    var isEndless = false
}
