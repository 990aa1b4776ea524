/// One question about a file and its answer.
struct ExplanationPoint: Sendable, Equatable {
    let question: String
    let answer: String
    /// Whether it keeps the file from being taken.
    var isObstacle = false
}
